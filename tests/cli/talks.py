"""A question, a follow-up, a word of its answer, the file it stands in: one in each language."""

TALKS = [
    ("401 是什麼意思？", "那 403 呢？", "403", "錯誤碼.md"),
    ("团队版每人每月多少钱？", "那企业版呢？", "68", "套餐.md"),
    ("夏季休暇は何日ですか？", "では、慶弔休暇は？", "3日", "休暇.md"),
    ("How long does Kestrel keep messages?", "And on the free plan?", "24 hours", "retention.md"),
]
