// What the page says, in the language the browser asks for.

const WORDS = {
  en: {
    way_bm25: "words", way_dense: "meaning", way_sentence: "sentence",
    bad_empty_question: "Put it in words: there is no letter or digit in it to look for.", bad_turns_in_flight: "Several of your questions are being answered. Wait for one of them.", bad_too_often: "Too many requests at once. Try again in a moment.",
    bad_too_long: "That is too long for one question.", bad_too_large: "That is more than can be taken in at once.", bad_full: "The service is busy. Try again in a moment.", bad_stopping: "The service is stopping.", bad_store_busy: "The store is busy. Try again in a moment.", bad_store_full: "There is no room left to keep anything.", bad_not_allowed: "Your key does not allow that.",
    ask: "Ask anything about your documents", send: "Send", stop: "Stop", fresh: "New conversation", find: "Find a conversation",
    talks: "Conversations", chat: "Conversation", library: "Documents", why: "Why this answer", close: "Close", copy: "Copy", copied: "Copied",
    edit: "Edit and ask again", rename: "Rename", remove: "Delete", sure: "Delete “{name}”? Its turns and everything made from them will be gone.",
    unnamed: "Untitled", newname: "New name", up: "Helpful", down: "Not helpful", thanks: "Noted", menu: "Conversations",
    emptyhead: "Ask, then ask on.", emptybody: "“And the second one?” is enough: the context is put together again before anything is searched.",
    nodocs: "There are no documents yet. Drop some files here, or choose them.", choose: "Choose files", drop: "Drop files to add them",
    uploading: "Uploading {percent}%", reading: "Reading the files…", typed: "You wrote", decided: "Understood as", sure_of: "{percent}% sure", searched: "Searched for",
    carried: "Carried from earlier turns", left: "Left behind", turn: "turn {n}", ranking: "Where each way of searching placed it", fused: "all",
    budget: "What the model's window held, in tokens", rules: "rules", past_turns: "history", evidence: "evidence", question: "question", free: "free",
    claims: "Claims", time: "Time", nothing: "Nothing was searched for.", nohits: "Nothing was found.",
    supported: "supported", unsupported: "not supported", uncited: "without a source", conflicting: "sources disagree",
    standalone: "a question of its own", follow_up: "a follow-up", new_topic: "a new topic", correction: "a correction", clarification: "unclear: asked back",
    small_talk: "small talk", command: "a command", answered: "answered", partly: "partly answered", declined: "not in the sources", clarifying: "asked back",
    cancelled: "stopped", failed: "failed", unverified: "supplied by the client", source: "Source", said: "Said in turn {n}", gone: "This source is not there any more.",
    quoted: "Quoted answer", backlog: "{n} {n:passage|passages} still to be embedded", indexed: "{n} {n:document|documents}", look: "Search the documents", rank: "Rank", added: "added",
    problem: "Something went wrong: {why}", unreachable: "The service does not answer. Is it running?", busy: "Another question is being answered here.",
    moved: "This conversation has gone on elsewhere; it was loaded again.", key: "API key", enter: "Enter", keyhelp: "This service needs a key. Whoever runs it makes one with: anaphor keys create",
    out: "Sign out", skip: "To the question", loading: "Loading…", failures: "Not taken in", private: "private", rewriter: "rewriter", thinking: "Looking…",
    context: "context rebuilt", retry: "Try again",
    save: "Save", cancel: "Cancel", turns: "{n} {n:turn|turns}", notalks: "No conversations yet.", nonefound: "No conversation of that name.", find_it: "Search",
    suredoc: "Delete “{name}”? It will not be found any more.", embedding: "Making vectors has stopped: {why}. Everything is still found by its words.",
    replaced: "replaced", unchanged: "unchanged", hint: "Enter sends · Shift + Enter begins a new line", rebuilt: "Searched for", stopping: "Stopping…",
    step_remember: "remember", step_reconstruct: "reconstruct", step_retrieve: "search", step_assemble: "pack", step_answer: "answer", step_verify: "verify",
    nothing_said: "Nothing was answered.",
    memory: "Memory", review: "To be decided", everything: "Also what is past", facts: "{n} {n:thing is|things are} remembered", unread: "{n} {n:turn|turns} still to be read", nofacts: "Nothing is remembered yet. What you say about yourself in a conversation is kept here, with its source.",
    disputed: "These contradict each other", quarantined: "This reads like an instruction", contested: "An answer said otherwise", superseded: "superseded", retired: "retired", accept: "It is so", reject: "It is not so", pin: "Pin", pinned: "pinned", history: "History", correct: "Correct", revert: "Back to this", times: "said {n} {n:time|times}", surefact: "Forget “{name}”? Its history goes too; the conversation stays.",
    current: "current", state_past: "past", state_planned: "planned", state_cancelled: "cancelled", kind_identity: "identity", kind_preference: "preference", kind_possession: "possession", kind_count: "count", kind_plan: "plan", kind_place: "place", kind_relation: "relation", kind_schedule: "date", kind_work: "work", kind_health: "health", kind_event: "event",
  },
  "zh-Hant": {
    way_bm25: "字詞", way_dense: "語意", way_sentence: "句子",
    bad_empty_question: "請用文字說：裡面沒有可以查的字或數字。", bad_turns_in_flight: "你有好幾個問題正在回答，請等其中一個結束。", bad_too_often: "請求太密了，請稍後再試。",
    bad_too_long: "這個問題太長了。", bad_too_large: "一次收不下這麼多。", bad_full: "服務正忙，請稍後再試。", bad_stopping: "服務正在停止。", bad_store_busy: "資料庫正忙，請稍後再試。", bad_store_full: "沒有空間可以保存了。", bad_not_allowed: "你的金鑰不能這樣做。",
    ask: "針對你的文件提問", send: "送出", stop: "停止", fresh: "新對話", find: "尋找對話",
    talks: "對話", chat: "對話", library: "文件", why: "為什麼這樣回答", close: "關閉", copy: "複製", copied: "已複製",
    edit: "修改後重問", rename: "重新命名", remove: "刪除", sure: "要刪除「{name}」嗎？其中的輪次與由此產生的一切都會消失。",
    unnamed: "未命名", newname: "新名稱", up: "有幫助", down: "沒有幫助", thanks: "已記下", menu: "對話列表",
    emptyhead: "問了，再接著問。", emptybody: "「那第二個呢？」就夠了：搜尋之前，會先把脈絡重新組起來。",
    nodocs: "還沒有文件。把檔案拖到這裡，或選取檔案。", choose: "選取檔案", drop: "放開以加入檔案",
    uploading: "上傳中 {percent}%", reading: "正在讀取檔案…", typed: "你輸入的", decided: "理解為", sure_of: "把握 {percent}%", searched: "實際搜尋",
    carried: "從前面帶來的", left: "留下沒帶的", turn: "第 {n} 輪", ranking: "各種搜尋方式的排名", fused: "綜合",
    budget: "模型視窗的用量（詞元）", rules: "規則", past_turns: "歷史", evidence: "證據", question: "問題", free: "剩餘",
    claims: "各項陳述", time: "時間", nothing: "這一輪沒有搜尋。", nohits: "什麼也沒找到。",
    supported: "有依據", unsupported: "沒有依據", uncited: "未附出處", conflicting: "來源不一致",
    standalone: "獨立的問題", follow_up: "接續的問題", new_topic: "新話題", correction: "更正", clarification: "不夠明確，已反問",
    small_talk: "寒暄", command: "指令", answered: "已回答", partly: "部分回答", declined: "來源中沒有", clarifying: "已反問",
    cancelled: "已停止", failed: "失敗", unverified: "由用戶端提供", source: "來源", said: "第 {n} 輪說過", gone: "這個來源已不存在。",
    quoted: "引述回答", backlog: "還有 {n} 段待嵌入", indexed: "{n} 份文件", look: "搜尋文件", rank: "排名", added: "已加入",
    problem: "出了問題：{why}", unreachable: "服務沒有回應，是否正在執行？", busy: "這裡正在回答另一個問題。",
    moved: "這個對話在別處有了新進展，已重新載入。", key: "API 金鑰", enter: "進入", keyhelp: "這個服務需要金鑰。管理者可用 anaphor keys create 建立。",
    out: "登出", skip: "跳到提問", loading: "載入中…", failures: "未能收入", private: "私人", rewriter: "改寫", thinking: "查找中…",
    context: "已重建脈絡", retry: "再試一次",
    save: "儲存", cancel: "取消", turns: "{n} 輪", notalks: "還沒有對話。", nonefound: "沒有這個名稱的對話。", find_it: "搜尋",
    suredoc: "要刪除「{name}」嗎？之後就找不到它了。", embedding: "向量的製作停下來了：{why}。用字詞仍然都找得到。",
    replaced: "已更新", unchanged: "沒有變動", hint: "Enter 送出 · Shift + Enter 換行", rebuilt: "實際搜尋", stopping: "停止中…",
    step_remember: "回想", step_reconstruct: "重建", step_retrieve: "搜尋", step_assemble: "裝填", step_answer: "作答", step_verify: "查證",
    nothing_said: "沒有回答。",
    memory: "記憶", review: "待你決定", everything: "也看過去的", facts: "記得 {n} 件事", unread: "還有 {n} 輪待讀", nofacts: "還沒有記下什麼。你在對話裡說到自己的事，會連同出處記在這裡。",
    disputed: "這些說法互相矛盾", quarantined: "這段讀起來像指令", contested: "有一則回答說的不一樣", superseded: "已被取代", retired: "已撤下", accept: "是這樣", reject: "不是這樣", pin: "釘選", pinned: "已釘選", history: "沿革", correct: "更正", revert: "回到這一版", times: "說過 {n} 次", surefact: "要忘記「{name}」嗎？它的沿革也會消失，對話會留著。",
    current: "目前", state_past: "過去", state_planned: "計畫中", state_cancelled: "已取消", kind_identity: "身分", kind_preference: "偏好", kind_possession: "擁有", kind_count: "數量", kind_plan: "計畫", kind_place: "地點", kind_relation: "關係", kind_schedule: "日期", kind_work: "工作", kind_health: "健康", kind_event: "事件",
  },
  "zh-Hans": {
    way_bm25: "字词", way_dense: "语义", way_sentence: "句子",
    bad_empty_question: "请用文字说：里面没有可以查的字或数字。", bad_turns_in_flight: "你有好几个问题正在回答，请等其中一个结束。", bad_too_often: "请求太密了，请稍后再试。",
    bad_too_long: "这个问题太长了。", bad_too_large: "一次收不下这么多。", bad_full: "服务正忙，请稍后再试。", bad_stopping: "服务正在停止。", bad_store_busy: "数据库正忙，请稍后再试。", bad_store_full: "没有空间可以保存了。", bad_not_allowed: "你的密钥不能这样做。",
    ask: "就你的文档提问", send: "发送", stop: "停止", fresh: "新对话", find: "查找对话",
    talks: "对话", chat: "对话", library: "文档", why: "为什么这样回答", close: "关闭", copy: "复制", copied: "已复制",
    edit: "修改后重问", rename: "重命名", remove: "删除", sure: "要删除“{name}”吗？其中的轮次和由此产生的一切都会消失。",
    unnamed: "未命名", newname: "新名称", up: "有帮助", down: "没有帮助", thanks: "已记下", menu: "对话列表",
    emptyhead: "问了，再接着问。", emptybody: "“那第二个呢？”就够了：搜索之前，会先把上下文重新组起来。",
    nodocs: "还没有文档。把文件拖到这里，或选择文件。", choose: "选择文件", drop: "松开以添加文件",
    uploading: "上传中 {percent}%", reading: "正在读取文件…", typed: "你输入的", decided: "理解为", sure_of: "把握 {percent}%", searched: "实际搜索",
    carried: "从前面带来的", left: "留下没带的", turn: "第 {n} 轮", ranking: "各种搜索方式的排名", fused: "综合",
    budget: "模型窗口的用量（词元）", rules: "规则", past_turns: "历史", evidence: "证据", question: "问题", free: "剩余",
    claims: "各项陈述", time: "时间", nothing: "这一轮没有搜索。", nohits: "什么也没找到。",
    supported: "有依据", unsupported: "没有依据", uncited: "未附出处", conflicting: "来源不一致",
    standalone: "独立的问题", follow_up: "接续的问题", new_topic: "新话题", correction: "更正", clarification: "不够明确，已反问",
    small_talk: "寒暄", command: "指令", answered: "已回答", partly: "部分回答", declined: "来源中没有", clarifying: "已反问",
    cancelled: "已停止", failed: "失败", unverified: "由客户端提供", source: "来源", said: "第 {n} 轮说过", gone: "这个来源已不存在。",
    quoted: "引述回答", backlog: "还有 {n} 段待嵌入", indexed: "{n} 份文档", look: "搜索文档", rank: "排名", added: "已添加",
    problem: "出了问题：{why}", unreachable: "服务没有响应，是否正在运行？", busy: "这里正在回答另一个问题。",
    moved: "这个对话在别处有了新进展，已重新加载。", key: "API 密钥", enter: "进入", keyhelp: "这个服务需要密钥。管理者可用 anaphor keys create 创建。",
    out: "退出", skip: "跳到提问", loading: "加载中…", failures: "未能收入", private: "私有", rewriter: "改写", thinking: "查找中…",
    context: "已重建上下文", retry: "再试一次",
    save: "保存", cancel: "取消", turns: "{n} 轮", notalks: "还没有对话。", nonefound: "没有这个名称的对话。", find_it: "搜索",
    suredoc: "要删除“{name}”吗？之后就找不到它了。", embedding: "向量的制作停下来了：{why}。用字词仍然都找得到。",
    replaced: "已更新", unchanged: "没有变动", hint: "Enter 发送 · Shift + Enter 换行", rebuilt: "实际搜索", stopping: "停止中…",
    step_remember: "回想", step_reconstruct: "重建", step_retrieve: "搜索", step_assemble: "装填", step_answer: "作答", step_verify: "核实",
    nothing_said: "没有回答。",
    memory: "记忆", review: "待你决定", everything: "也看过去的", facts: "记得 {n} 件事", unread: "还有 {n} 轮待读", nofacts: "还没有记下什么。你在对话里说到自己的事，会连同出处记在这里。",
    disputed: "这些说法互相矛盾", quarantined: "这段读起来像指令", contested: "有一条回答说的不一样", superseded: "已被取代", retired: "已撤下", accept: "是这样", reject: "不是这样", pin: "置顶", pinned: "已置顶", history: "沿革", correct: "更正", revert: "回到这一版", times: "说过 {n} 次", surefact: "要忘记“{name}”吗？它的沿革也会消失，对话会留着。",
    current: "目前", state_past: "过去", state_planned: "计划中", state_cancelled: "已取消", kind_identity: "身份", kind_preference: "偏好", kind_possession: "拥有", kind_count: "数量", kind_plan: "计划", kind_place: "地点", kind_relation: "关系", kind_schedule: "日期", kind_work: "工作", kind_health: "健康", kind_event: "事件",
  },
  ja: {
    way_bm25: "語句", way_dense: "意味", way_sentence: "文",
    bad_empty_question: "言葉で書いてください。探せる文字も数字もありません。", bad_turns_in_flight: "いくつかの質問に回答中です。どれかが終わるまでお待ちください。", bad_too_often: "リクエストが多すぎます。少し待ってからやり直してください。",
    bad_too_long: "一つの質問としては長すぎます。", bad_too_large: "一度に取り込める量を超えています。", bad_full: "混み合っています。少し待ってからやり直してください。", bad_stopping: "サービスは停止するところです。", bad_store_busy: "保存先が使用中です。少し待ってからやり直してください。", bad_store_full: "保存する空きがありません。", bad_not_allowed: "このキーではできません。",
    ask: "文書について質問する", send: "送信", stop: "停止", fresh: "新しい会話", find: "会話を探す",
    talks: "会話", chat: "会話", library: "文書", why: "この回答の理由", close: "閉じる", copy: "コピー", copied: "コピーしました",
    edit: "直して聞き直す", rename: "名前を変える", remove: "削除", sure: "「{name}」を削除しますか。やり取りと、そこから作られたものがすべて消えます。",
    unnamed: "無題", newname: "新しい名前", up: "役に立った", down: "役に立たなかった", thanks: "記録しました", menu: "会話の一覧",
    emptyhead: "聞いて、続けて聞く。", emptybody: "「二つ目は？」だけで足ります。検索の前に文脈を組み立て直します。",
    nodocs: "文書がまだありません。ここにファイルを置くか、選んでください。", choose: "ファイルを選ぶ", drop: "放すとファイルを追加します",
    uploading: "送信中 {percent}%", reading: "ファイルを読んでいます…", typed: "入力した言葉", decided: "受け取り方", sure_of: "確度 {percent}%", searched: "実際の検索",
    carried: "前の発言から引き継いだもの", left: "引き継がなかったもの", turn: "{n}番目", ranking: "検索方法ごとの順位", fused: "総合",
    budget: "モデルに渡した量（トークン）", rules: "規則", past_turns: "履歴", evidence: "根拠", question: "質問", free: "残り",
    claims: "主張", time: "時間", nothing: "検索はしていません。", nohits: "何も見つかりませんでした。",
    supported: "根拠あり", unsupported: "根拠なし", uncited: "出典なし", conflicting: "出典が食い違う",
    standalone: "単独の質問", follow_up: "続きの質問", new_topic: "新しい話題", correction: "訂正", clarification: "不明のため聞き返し",
    small_talk: "挨拶", command: "指示", answered: "回答済み", partly: "一部回答", declined: "出典にない", clarifying: "聞き返し",
    cancelled: "停止", failed: "失敗", unverified: "クライアントの申告", source: "出典", said: "{n}番目の発言", gone: "この出典はもうありません。",
    quoted: "引用による回答", backlog: "埋め込み待ち {n} 件", indexed: "文書 {n} 件", look: "文書を検索", rank: "順位", added: "追加",
    problem: "問題が起きました：{why}", unreachable: "サービスが応答しません。動いていますか。", busy: "ここでは別の質問に回答中です。",
    moved: "この会話は別の場所で進んでいたため、読み込み直しました。", key: "APIキー", enter: "入る", keyhelp: "このサービスにはキーが必要です。管理者が anaphor keys create で作れます。",
    out: "出る", skip: "質問欄へ", loading: "読み込み中…", failures: "取り込めなかったもの", private: "非公開", rewriter: "書き換え", thinking: "探しています…",
    context: "文脈を再構成", retry: "もう一度",
    save: "保存", cancel: "やめる", turns: "{n} 回", notalks: "会話はまだありません。", nonefound: "その名前の会話はありません。", find_it: "検索",
    suredoc: "「{name}」を削除しますか。以後は見つからなくなります。", embedding: "ベクトルの作成が止まっています：{why}。言葉での検索は今までどおりできます。",
    replaced: "更新", unchanged: "変更なし", hint: "Enter で送信 · Shift + Enter で改行", rebuilt: "実際の検索", stopping: "停止中…",
    step_remember: "想起", step_reconstruct: "再構成", step_retrieve: "検索", step_assemble: "詰め込み", step_answer: "回答", step_verify: "検証",
    nothing_said: "回答はありませんでした。",
    memory: "記憶", review: "判断待ち", everything: "過去のものも", facts: "{n} 件を記憶", unread: "未読のやり取り {n} 件", nofacts: "まだ何も記憶していません。会話でご自身について話したことが、出どころとともにここに残ります。",
    disputed: "互いに食い違っています", quarantined: "指示のように読めます", contested: "回答がこれと違うことを述べました", superseded: "更新済み", retired: "取り下げ", accept: "そのとおり", reject: "そうではない", pin: "固定", pinned: "固定中", history: "経緯", correct: "直す", revert: "この版に戻す", times: "{n} 回の発言", surefact: "「{name}」を忘れますか。経緯も消えます。会話は残ります。",
    current: "現在", state_past: "過去", state_planned: "予定", state_cancelled: "取り消し", kind_identity: "本人", kind_preference: "好み", kind_possession: "持ち物", kind_count: "数", kind_plan: "計画", kind_place: "場所", kind_relation: "関係", kind_schedule: "日程", kind_work: "仕事", kind_health: "健康", kind_event: "出来事",
  },
};

export function chosen(wanted) {
  for (const tag of wanted) {
    const low = tag.toLowerCase();
    if (/^zh\b.*(hant|tw|hk|mo)/.test(low)) return "zh-Hant";
    if (low.startsWith("zh")) return "zh-Hans";
    if (low.startsWith("ja")) return "ja";
    if (low.startsWith("en")) return "en";
  }
  return "en";
}

export const locale = chosen(navigator.languages || [navigator.language || "en"]);

// ``{n}`` is the number itself, ``{n:turn|turns}`` the word that goes with it.
export function t(name, given = {}) {
  const text = WORDS[locale][name] ?? WORDS.en[name] ?? name;
  return text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, key, one, many) => one === undefined ? given[key] ?? "" : given[key] === 1 ? one : many);
}

// What a retriever is called here; one that the page does not know keeps its own name.
export const wayNamed = (way) => WORDS[locale][`way_${way}`] ?? way;

// What went wrong, in the reader's language where the service's code says what it is; else in the service's own words.
export function said(error) {
  if (error.code === "unreachable") return t("unreachable");
  return WORDS[locale][`bad_${error.code}`] ?? t("problem", { why: error.message });
}

// Kana says that a text is Japanese, and that it wants Japanese glyphs; nothing else says so much so surely.
export const tongue = (text) => /[\u3041-\u30ff]/.test(text) ? "ja" : null;

const TODAY = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const THIS_YEAR = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const EARLIER = new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", day: "numeric" });

// As near as it needs to be: the hour today, the day this year, the date before.
export function when(seconds, now = new Date()) {
  const then = new Date(seconds * 1000);
  if (then.toDateString() === now.toDateString()) return TODAY.format(then);
  return (then.getFullYear() === now.getFullYear() ? THIS_YEAR : EARLIER).format(then);
}

export const number = (n) => new Intl.NumberFormat(locale).format(n);
