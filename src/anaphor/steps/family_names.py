"""Chinese family names of one character, in both scripts: a short run of Han that begins with one may be a person."""

FAMILY_NAMES = frozenset(
    "王李張张劉刘陳陈楊杨黃黄趙赵吳吴周徐孫孙馬马朱胡郭何高林羅罗鄭郑梁謝谢宋唐許许韓韩馮冯鄧邓曹彭曾蕭萧田董潘袁蔡蔣蒋余于杜葉叶程"
    "魏蘇苏呂吕丁任盧卢姚沈鍾钟姜崔譚谭陸陆范汪廖石金韋韦贾夏傅方鄒邹熊白孟秦邱侯江尹薛閻阎段雷龍龙史陶賀贺毛郝顧顾龔龚邵覃武錢钱"
    "戴嚴严莫孔向湯汤施洪翁莊庄柯詹"
)
