"""The Chinese and Japanese of the thesaurus: spellings of one meaning, light words, sets that exclude each other."""

from __future__ import annotations

from functools import cache

# Spellings of one meaning; "" leaves a spelling out. The longest are replaced first.
_ALIKE = """
不用:不要使用 请勿使用 禁止使用 别用 不使用 不能用 不可用
不:请不要 不可以 不可 不要 请勿 勿 不能 不得 禁止 切勿 千万别 不应该 不应
用:使用 采用 利用 选用
跑:运行 执行
偏好:喜欢 更喜欢 倾向于 偏爱 希望 想要 爱用
每天:每日 天天
每晚:每夜 每天晚上 每天夜里
每周:每星期 每礼拜
回答:回复 答复 答案 应答
简短:简洁 简明 精简 简练
冗长:啰嗦 长篇大论
改:修改 更改 改动 变更 编辑
删:删除 删掉 移除
建:创建 新建 建立
查:检查 查看 查询
必须:务必 一定要 必需 得先 需要 须
先:首先 事先 提前
之前:以前 前必须 前要 前先
之后:以后 后再
所有:一律 全部 全都 都要
目录:文件夹 资料夹
文档:文件档 说明文档
保留:保存 留存 存放 存储 储存
在:位于 放在 存在 保存在 部署在 跑在
叫:名叫 名为 叫做 名字是 名字叫 称为
负责:管理 主管 负责人是
过时:过期 陈旧
会议:开会 例会
失败:报错 出错 失敗
测试:test测试
端口:端口号
数据库:資料庫 DB
服务器:主机 机器 服务端机器
生产:线上 正式 prod
密码:口令
邮件:电子邮件 邮箱
消息:信息 讯息
默认:缺省 预设
开始:启动 开启
发送:发给 发到 寄给
时间:时刻
孩子:小孩 子女 儿女
素食:吃素
周一:星期一 礼拜一
周二:星期二 礼拜二
周三:星期三 礼拜三
周四:星期四 礼拜四
周五:星期五 礼拜五
周六:星期六 礼拜六
周日:星期日 星期天 礼拜天 周天
代码:程式碼 源码
只:只有 仅 仅仅 只能 只可 只在
用:利用する 使用する 使う 使用
実行:走らせる 動かす
好む:好き 好み 希望
サーバー:サーバ
フォルダ:フォルダー ディレクトリ
ユーザー:ユーザ
毎日:日次
毎晩:毎夜 夜間
毎週:週次
返答:返信 回答 返事
簡潔:短い 短く 手短
必ず:必須 絶対
"""
_LIGHT = """
    用户 使用者 请 請 偏好 所有 但是 保持 已经 因此 这个 那个 这台 这里 目前 当前 现在 地址 一般 通常 总是 始终
    务必 必须 应该 应当 需要 可以 进行 一下 位于 的话 即可 就行 就好 直接 方式 内容 情况 项目 机器 相关 记得
    注意 备注 说明 因为 由于 所以 以便 为了 如果 通过 根据 还有 ユーザー してください ください します する です
    ます である こと ため ので から プロジェクト 現在
"""
# Sets that exclude each other, looked for in the text as it stands.
_CLASSES = """
测试 生产 开发 预发 本地 远程 本番 開発 検証 ステージング テスト
主库 从库 备库
早上 上午 中午 下午 晚上 凌晨 傍晚 朝 夕方 午後 午前
周一 周二 周三 周四 周五 周六 周日 工作日 周末
月曜 火曜 水曜 木曜 金曜 土曜 日曜
每天 每周 每月 每年 每小时 每晚 毎日 毎週 毎月 毎年 毎晩
之前 之后 前に 後に
以上 以下 以内 以外
最多 最少 至少 不超过 最大 最小
启用 禁用 打开 关闭 开启 停用 有効 無効
允许 禁止 许可
上传 下载 导入 导出 アップロード ダウンロード
读 写
输入 输出 入力 出力
前端 后端 客户端 服务端 フロントエンド バックエンド
内网 外网 公网
英文 中文 日文 英语 中文 日语 简体 繁体 德语 法语 英語 日本語 中国語
第一 第二 第三 最后
旧 新
左 右
开头 结尾
增加 减少
公开 私有
奇数 偶数
父亲 母亲 妻子 丈夫 儿子 女儿 哥哥 姐姐 弟弟 妹妹 妻 夫 息子 娘
茶 咖啡
日志 配置 缓存 备份
天 周 小时 分钟 秒 个月
"""
_TRADITIONAL = (
    "們個來時對說過後這還進發動國學長開門問間關點無經線給網機車東電話語請讓認識記設計試驗證訊號資庫檔碼標"
    "簽處備為會員應該當實寫讀買賣幾張條單雙週連運遠邊選項頁題類報導係級組織結構與專業務產輸執種錄鐘錯環內"
    "傳轉換歡樂藥體響複雜靜態啟壓縮測階層權變歷醫書臺灣圖團圓場塊壞夠夢頭奪兩嚴並麼義樣"
)
_SIMPLIFIED = (
    "们个来时对说过后这还进发动国学长开门问间关点无经线给网机车东电话语请让认识记设计试验证讯号资库档码标"
    "签处备为会员应该当实写读买卖几张条单双周连运远边选项页题类报导系级组织结构与专业务产输执种录钟错环内"
    "传转换欢乐药体响复杂静态启压缩测阶层权变历医书台湾图团圆场块坏够梦头夺两严并么义样"
)


@cache
def alike() -> tuple[tuple[str, str], ...]:
    """Spellings and what stands for them, the longest first."""
    rows = (line.split(":") for line in _ALIKE.strip().splitlines())
    return tuple(sorted(((one, to) for to, words in rows for one in words.split()), key=lambda row: -len(row[0])))


@cache
def classes() -> tuple[tuple[str, ...], ...]:
    """Sets of Chinese and Japanese words that exclude each other."""
    return tuple(tuple(line.split()) for line in _CLASSES.strip().splitlines())


@cache
def simplified() -> dict[int, str]:
    """For str.translate: common traditional signs by the simplified ones."""
    return {ord(old): new for old, new in zip(_TRADITIONAL, _SIMPLIFIED, strict=True)}


@cache
def light() -> tuple[str, ...]:
    """Words that may come or go without changing what a note states, the longest first."""
    return tuple(sorted(_LIGHT.split(), key=len, reverse=True))
