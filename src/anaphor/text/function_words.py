"""Words that carry grammar rather than content, by language. Public: the steps decide and carry with them."""

from __future__ import annotations

ZH = frozenset(
    "的 了 嗎 吗 呢 吧 啊 是 在 和 跟 與 与 及 或 有 沒有 没有 哪些 哪裡 哪里 哪個 哪个 哪 什麼 什么 甚麼 多少 幾 几 怎麼 怎么 怎樣 怎样 如何 為什麼 为什么 "
    "可以 需要 請問 请问 請 请 那 那麼 那么 這 这 這個 这个 那個 那个 它 他 她 我 你 您 我們 我们 你們 你们 也 都 就 還 还 要 會 会 能 把 被 對 对 "
    "於 于 從 从 到 給 给 嗎 一下 誰 谁 何時 何时 多久 多長 多长 其 該 该 之 關於 关于 告訴 告诉 知道 想 介紹 介绍".split()
)
JA = frozenset(
    "は が を に の へ と で も や か から まで より ね よ です ます ました ですか ますか でしょうか ください 下さい お願いします 何 なに いつ どこ 誰 だれ "
    "どの どれ どう なぜ いくら いくつ について とは それ これ あれ その この あの そこ ここ する した して ある いる なる こと もの ため".split()
)
EN = frozenset(
    "a an the of to in on at for from by with and or but if is are was were be been do does did have has had can could will would shall "
    "should may might must i you he she it we they me him her us them my your his its our their this that these those there here what "
    "which who whom whose when where why how not no so as than then too also about into out up please tell".split()
)
BY_LANGUAGE = {"zh-Hant": ZH, "zh-Hans": ZH, "ja": JA, "en": EN, "und": ZH | EN}
