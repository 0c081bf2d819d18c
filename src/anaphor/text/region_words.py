"""Words that regions write differently: what Taiwan, Hong Kong and mainland China call the same thing.

Folding characters does not make them meet (軟體 folds to 软体, never to 软件), so a query asks for all words of a
row. Two lists: one of our own, from general knowledge, and ``tables/regions.txt``, made of OpenCC's tables of phrases
(names of countries, of people, of the computer's world; ``scripts/make_tables.py``). They never change what is shown.
"""

from __future__ import annotations

import functools
from pathlib import Path

from anaphor.text.fold import matching

_ROWS = (
    "軟體 软件",
    "硬體 硬件",
    "韌體 固件",
    "資料庫 数据库",
    "資料夾 文件夹",
    "資料結構 数据结构",
    "資料表 数据表",
    "大數據 大資料 大数据",
    "數據 資料 数据",
    "檔案 文件",
    "檔名 文件名",
    "伺服器 服务器",
    "預設 默认 默認",
    "程式 程序",
    "程式碼 代码 代碼",
    "程式設計 编程 編程",
    "原始碼 源代码 源碼 源码",
    "連接埠 埠號 通訊埠 端口",
    "網路 網絡 网络",
    "網際網路 互聯網 互联网",
    "區域網路 局域网 局域網",
    "資訊 信息",
    "資安 信息安全",
    "螢幕 屏幕 熒幕",
    "滑鼠 鼠标 鼠標",
    "印表機 打印机 打印機",
    "列印 打印",
    "影印 複印 复印",
    "掃描器 扫描仪",
    "硬碟 硬盘",
    "磁碟 磁盘",
    "光碟 光盘",
    "隨身碟 优盘 U盘",
    "記憶體 内存 內存",
    "快取 缓存 緩存",
    "暫存器 寄存器",
    "執行緒 线程 線程",
    "迴圈 循环",
    "函式 函数 函數",
    "變數 变量 變量",
    "物件 对象 對象",
    "介面 接口 界面",
    "使用者 用户 用戶",
    "帳號 账号 賬號",
    "帳戶 账户 賬戶",
    "密碼 口令",
    "登入 登录 登錄",
    "登出 注销 退出登录",
    "憑證 证书 證書",
    "設定 设置 設置",
    "組態 配置",
    "選單 菜单 菜單",
    "視窗 窗口",
    "桌布 壁纸",
    "游標 光标",
    "剪貼簿 剪贴板",
    "捷徑 快捷方式",
    "貼上 粘贴",
    "搜尋 搜索 查找",
    "回覆 回复",
    "儲存 存储 保存",
    "上傳 上传",
    "連結 链接 鏈接",
    "連線 连接 聯機",
    "離線 脱机 离线",
    "線上 在线 在線",
    "即時 实时 實時",
    "非同步 异步 異步",
    "佇列 队列 隊列",
    "堆疊 堆栈",
    "陣列 数组 數組",
    "字串 字符串",
    "字元 字符",
    "位元 比特",
    "位元組 字节 字節",
    "外掛 插件",
    "套件 软件包",
    "相容 兼容",
    "最佳化 优化 優化",
    "演算法 算法",
    "人工智慧 人工智能",
    "雲端 云端",
    "虛擬機 虚拟机",
    "除錯 调试 調試",
    "錯誤訊息 错误信息 报错信息",
    "訊息 消息",
    "簡訊 短信",
    "電子郵件 邮件 電郵 邮箱",
    "行動電話 手机 手機 移動電話",
    "行動裝置 移动设备",
    "智慧型手機 智能手机",
    "平板電腦 平板电脑",
    "筆記型電腦 筆電 笔记本电脑 手提電腦",
    "電腦 计算机 電腦",
    "數位 数码",
    "解析度 分辨率",
    "頻寬 带宽 帶寬",
    "延遲 时延 延迟",
    "影片 视频 視頻",
    "音訊 音频 音頻",
    "部落格 博客",
    "計程車 出租车 出租車 的士",
    "捷運 地铁 地鐵",
    "公車 公交车 公共汽车 巴士",
    "腳踏車 自行车 單車 自行車",
    "機車 摩托车 摩托車",
    "品質 质量",
    "專案 项目 項目",
    "營運 运营",
    "冷氣 空调 空調",
    "吹風機 电吹风",
    "洗手間 厕所 廁所 化妝室",
    "便當 盒饭",
    "鳳梨 菠萝",
    "馬鈴薯 土豆 洋芋",
    "優格 酸奶",
    "泡麵 方便面 即食麵",
    "寒流 寒潮",
    "紐西蘭 新西兰",
    "澳洲 澳大利亚",
    "北韓 朝鲜",
    "義大利 意大利",
)


@functools.cache
def region_words() -> dict[str, tuple[str, ...]]:
    """Folded word → the other folded words of its rows."""
    others: dict[str, list[str]] = {}
    table = Path(__file__).with_name("tables").joinpath("regions.txt").read_text("utf-8")
    for row in (*_ROWS, *table.splitlines()):
        words = list(dict.fromkeys(matching(word) for word in row.split()))
        for word in words:
            others.setdefault(word, []).extend(other for other in words if other != word)
    return {word: tuple(dict.fromkeys(found)) for word, found in others.items() if found}


def alternatives(folded: str) -> list[str]:
    """What else a query might say for the region words in it, longest word first where words overlap."""
    found: list[str] = []
    table, at = region_words(), 0
    longest = max(map(len, table))
    while at < len(folded):
        size = next((n for n in range(min(longest, len(folded) - at), 0, -1) if folded[at : at + n] in table), 0)
        if size:
            found.extend(table[folded[at : at + size]])
        at += size or 1
    return found
