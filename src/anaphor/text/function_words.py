"""Words that carry grammar, courtesy or the asking itself rather than content, by language.

``ZH``, ``JA`` and ``EN`` hold them all, ``QUESTION`` and ``COURTESY`` two kinds that decide more than others. Chinese
is written down in traditional form and held in both. ``ZH_BOUND`` are words of content that have a function word's
character in them (會議室, 申請, 目的地): a text is cut at function words only where none of these stands.
"""

from __future__ import annotations

# The characters of this file; the whole table is left unread until a text needs it.
_TO_SIMPLIFIED = str.maketrans(
    "並來個們兒內問嗎囉寬對屬幫幾後從應於時會樣沒為煩當種紹給經與處裡託訴話該說誰請謝讓辦這遠還邊長間關須麼點",
    "并来个们儿内问吗啰宽对属帮几后从应于时会样没为烦当种绍给经与处里托诉话该说谁请谢让办这远还边长间关须么点",
)


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


def _both(*lines: str) -> frozenset[str]:
    words = _words(*lines)
    return words | {word.translate(_TO_SIMPLIFIED) for word in words}


_ZH_QUESTION = _both(
    "什麼 甚麼 啥 哪 哪個 哪些 哪裡 哪兒 哪邊 哪位 哪一 哪一個 哪一些 哪種 誰 何時 何地 何人 何處 何種 為何 如何",
    "怎 怎麼 怎麼樣 怎樣 怎麼辦 為什麼 為甚麼 為啥 多少 多久 多長 多大 多遠 多高 多寬 多重 多快 幾 什麼時候 甚麼時候",
    "嗎 呢 是不是 是否 有沒有 會不會 能不能 可不可以 可否 能否 要不要 對不對",
)
_ZH_COURTESY = _both(
    "請 請問 請教 請幫 請幫我 請告訴我 麻煩 麻煩你 麻煩您 拜託 謝謝 謝謝你 謝謝您 多謝 感謝 不好意思 抱歉 你好 您好",
    "嗨 哈囉 早安 午安 晚安 好的 告訴 告訴我 幫我 介紹一下 想知道 想問 想請問 知道 一下 看看 可以告訴我",
)
ZH = (
    _ZH_QUESTION
    | _ZH_COURTESY
    | _both(
        "的 了 吧 啊 呀 喔 哦 啦 嘛 囉 耶 是 在 有 沒有 也 都 就 還 很 和 跟 與 及 或 而 但 以及 或者 或是 還是",
        "但是 而且 因為 所以 如果 然後 那麼 那 這 這個 那個 這些 那些 這裡 那裡 這邊 那邊 這樣 那樣 這麼 這次",
        "那次 其 該 此 之 其他 其它 其中 我 你 您 他 她 它 我們 你們 他們 她們 它們 咱們 大家 自己 把 被 讓 給 從",
        "由 於 對於 關於 由於 至於 位於 屬於 基於 為了 可以 應該 應當 必須 需要 想要 希望 不是 之後 之前 之間",
        "之內 之外 一個 一些 一點 有點 有些 非常 已經 正在 曾經 並 並且 等等 等 來說 的話 時候",
    )
)

ZH_BOUND = _words(
    "目的 標的 的士 的確 了解 了結 終了 酒吧 網吧 吧台 貼吧 是非 國是 現在 存在 所在 潛在 內在 外在 實在",
    "在線 在職 在校 在學 在地 在家 在宅 在庫 在途 在籍 在位 在臺 在任 所有 擁有 具有 持有 享有 含有 有限 有效",
    "有機 有線 有關 有期 國有 私有 共有 公有 現有 原有 特有 固有 有害 有毒 有氧 有薪 有趣 有名 有益 有用 有色",
    "有形 有價 佔有 有無 和平 和解 和諧 和室 和服 和牛 和約 共和 飽和 總和 昭和 令和 溫和 中和 永和 調和 緩和",
    "附和 柔和 和尚 和睦 義和 跟進 跟蹤 跟隨 高跟 腳跟 參與 與會 賦與 授與 普及 埃及 及格 及時 涉及 危及 遍及",
    "及早 或許 然而 反而 但書 不但 就業 就職 就學 就醫 就診 就讀 就任 就地 成就 造就 遷就 也許 也門 首都 都市",
    "成都 京都 都會 都更 都柏林 古都 花都 建都 遷都 國都 故都 帝都 還款 歸還 償還 退還 發還 返還 還原 還清 還書",
    "交還 生還 還車 還債 還本 從業 從事 服從 從屬 從政 從前 自由 理由 由來 事由 緣由 路由 經由 給付 供給",
    "補給 給薪 配給 給水 把握 把手 被告 被害 被子 棉被 被保 被單 植被 被動 轉讓 讓渡 出讓 讓步 禮讓 割讓 自我",
    "他人 吉他 維他命 他國 剎那 那瑪夏 那霸 那不勒斯 土耳其 其餘 米其林 尤其 因此 如此 彼此 此外 總之 之一",
    "幾何 幾乎 幾率 幾內亞 申請 請假 請款 邀請 聘請 請求 請願 請購 請領 聲請 報請 提請 哪吒 並列 並行 合並",
    "等級 等候 等待 平等 高等 初等 中等 優等 同等 上等 頭等 等於 感謝函 謝謝卡 知道了 呢料 呢絨 在野",
    "對等 等高 等額 等腰 等邊 於是 終於 等比 該死 之江 很多 有可能 有機會 吧檯 啦啦隊 其實",
    "幾許 幾度 幾個月 一個月 需要量 一下子 一點點 的黎波里 於斯 都蘭 都城 大都 三都",
    "東京都 與國",
)

_JA_QUESTION = _words(
    "何 なに なん 何か いつ どこ 誰 だれ どなた なぜ どうして いくら いくつ どう どのように どのような どのくらい",
    "どれくらい どれぐらい どの どれ どちら どっち どんな 何人 何時 何日 何年 何名 何個 何回 何月 何階 何分 何番 か",
    "ですか ますか でしょうか でしたか ましたか ますでしょうか ませんか のか のですか んですか",
    "何ですか 何でしょうか 何と なんと",
)
_JA_COURTESY = _words(
    "ください 下さい くださいませ いただけますか いただけます もらえますか お願いします お願いいたします",
    "お願い 教えて 教えてください 教えて下さい 知りたい すみません ありがとう ありがとうございます こんにちは",
    "おはよう おはようございます こんばんは はじめまして 了解 了解しました わかりました 分かりました はい いいえ",
)
JA = (
    _JA_QUESTION
    | _JA_COURTESY
    | _words(
        "は が を に へ と で も や の ば から まで より など だけ しか ほど くらい ぐらい ばかり さえ こそ でも",
        "とか には では とは にも への との からの までの での のは のが のを のに ので って なら ながら けど",
        "けれど けれども ね よ な わ かな よね です でした でしょう だ だった である であった じゃ じゃない",
        "ではない ではありません じゃありません でしょ ます ました ません ましょう する します した して している",
        "しています できる できます できた でき ある あります あった いる います いた なる なります なった なって",
        "れる られる された される され られ れた ない なく なかった これ それ あれ この その あの ここ そこ",
        "あそこ こちら そちら あちら こっち そっち あっち こう そう ああ こんな そんな そして また それでは",
        "それで だから しかし ただ なお それって これって こと もの ため とき ところ よう ほう はず わけ について",
        "に関して に関する に対して に対する によって による により として という といった とのこと において",
        "における にて ための ように ような さん 様 ている ていた ていました てい で き ったら たら れば という",
        "と",
    )
)

_EN_QUESTION = _words("what which who whom whose when where why how")
_EN_COURTESY = _words("please thanks thank hi hello hey sorry okay ok tell")
EN = (
    _EN_QUESTION
    | _EN_COURTESY
    | _words(
        "a an the of to in on at for from by with and or but if is are am was were be been being do does did doing",
        "have has had having can could will would shall should may might must i you he she it we they me him her us",
        "them my your his its our their mine yours this that these those there here not no so as than then too also",
        "about into onto out up down over under again any some such there's it's what's that's i'm don't doesn't",
        "didn't isn't aren't can't let's s t re ve ll d m",
    )
)

QUESTION = {"zh": _ZH_QUESTION, "ja": _JA_QUESTION, "en": _EN_QUESTION}
COURTESY = {"zh": _ZH_COURTESY, "ja": _JA_COURTESY, "en": _EN_COURTESY}
BY_LANGUAGE = {"zh-Hant": ZH, "zh-Hans": ZH, "ja": JA, "en": EN, "und": ZH | EN}
