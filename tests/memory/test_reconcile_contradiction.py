"""Replies that contradict what was said before, by form."""

import pytest

from anaphor.memory.reconcile_contradiction import contradicts


def talk(told, answered, again):
    return [("user", told), ("assistant", answered), ("user", again)]


@pytest.mark.parametrize(
    ("before", "reply"),
    [
        (talk("你喜歡下廚嗎？", "喜歡，週末都會煮", "你平常喜歡下廚嗎？"), "不喜歡，太麻煩了"),
        (talk("你结婚了吗？", "还没结婚呢", "你是已经结婚了吗？"), "结婚三年了"),
        (talk("你今年多大？", "我今年25岁", "你多大了？"), "我31岁了"),
        (talk("你是做什么工作的？", "我在医院做护理", "你是做什么的？"), "我卖保险"),
        (talk("你是哪里人？", "我是青岛人", "你家在哪里？"), "我是昆明人"),
        (talk("我养了三只仓鼠。", "好可爱", "你知道我养了几只仓鼠吗？"), "不知道啊"),
        (talk("你还在念书吗？", "我是学生，大二", "你是在念书吗？"), "毕业好几年了，在上班"),
        (talk("你喜歡爬山嗎？", "是啊，很喜歡", "你討厭爬山嗎？"), "是的，非常討厭"),
        (talk("你最喜欢什么季节？", "我喜欢秋天", "你喜欢哪个季节？"), "夏天吧，可以游泳"),
        (talk("你叫什么名字？", "我叫王小满", "你叫什么？"), "我叫陈立"),
        (talk("你早上都吃什么？", "饭团跟豆浆", "你早上都吃什么？"), "牛肉面"),
    ],
)
def test_a_contradiction_is_recognised(before, reply):
    assert contradicts(before, reply)


@pytest.mark.parametrize(
    ("before", "reply"),
    [
        (talk("你喜歡下廚嗎？", "喜歡，週末都會煮", "你平常喜歡下廚嗎？"), "喜歡啊"),
        (talk("你今年多大？", "我今年25岁", "你多大了？"), "25岁"),
        (talk("你是哪里人？", "我是青岛人", "你家在哪里？"), "青岛"),
        (talk("我养了三只仓鼠。", "好可爱", "你知道我养了几只仓鼠吗？"), "三只呀"),
        (talk("你有兄弟姐妹吗？", "没有呢，就我一个", "你没有兄弟姐妹吗？"), "是的，就我一个人"),
        (talk("今天天气真好。", "是啊", "你喜欢什么运动？"), "不太运动"),
        ([("user", "你好")], "不好"),
        ([], "嗯"),
    ],
)
def test_an_answer_that_fits_is_none(before, reply):
    assert not contradicts(before, reply)
