"""What words mean the same, which say little, and which exclude each other: for judging entries in other words.

General vocabulary of short notes about work, machines and people, in English and, thinner, in German, Spanish, Chinese
and Japanese. A missing word costs a suggestion; a wrong synonym would offer a wrong one, so words that are only
sometimes exchanged (file and folder, host and container, question and answer) stay apart.
"""

from __future__ import annotations

from functools import cache

from workbench.curation.vocabulary import stem, word_set

# Several words that are read as one; the longest first. Looked for in lower case, between word edges.
PHRASES = (
    ("as soon as", "when"), ("in order to", "to"), ("due to the fact that", "because"), ("due to", "because"),
    ("because of", "because"), ("owing to", "because"), ("prior to", "before"), ("ahead of", "before"),
    ("no more than", "atmost"), ("not more than", "atmost"), ("not exceed", "atmost"), ("must not exceed", "atmost"),
    ("at most", "atmost"), ("up to", "atmost"), ("no longer than", "atmost"), ("limited to", "atmost"),
    ("max.", "atmost"), ("no less than", "atleast"), ("at least", "atleast"), ("or more", "atleast"),
    ("or less", "atmost"), ("or fewer", "atmost"), ("or newer", "atleast"), ("or later", "atleast"),
    ("out of date", "outdated"), ("up to date", "current"), ("by hand", "manually"), ("on his own", "alone"),
    ("log in", "login"), ("logs in", "login"), ("logging in", "login"), ("sign in", "login"), ("set up", "setup"),
    ("sets up", "setup"), ("pull request", "pr"), ("pull requests", "pr"), ("merge request", "mr"),
    ("merge requests", "mr"), ("time zone", "timezone"), ("hard coded", "hardcoded"), ("dry run", "dryrun"),
    ("read only", "readonly"), ("code base", "codebase"), ("file name", "filename"), ("file system", "filesystem"),
    ("user name", "username"), ("work tree", "worktree"), ("home page", "homepage"), ("stand up", "standup"),
    ("white space", "whitespace"), ("change log", "changelog"), ("make sure to", ""), ("make sure that", ""),
    ("make sure", ""), ("be sure to", ""), ("remember to", ""), ("it is important to", ""), ("note that", ""),
    ("keep in mind", ""), ("don't forget to", ""), ("do not forget to", ""), ("never forget to", ""),
    ("used to", "formerly"), ("no longer", "nolonger"), ("not anymore", "nolonger"), ("any more", "anymore"),
    ("as well as", "and"), ("along with", "and"), ("together with", "and"), ("in addition", "also"),
    ("instead of", "insteadof"), ("rather than", "insteadof"), ("in place of", "insteadof"), ("in favor of", "replacedby"),
    ("in favour of", "replacedby"), ("not only", "notonly"), ("for instance", ""), ("for example", ""),
    ("e.g.", ""), ("i.e.", ""), ("such as", ""), ("w/o", "without"), ("w/", "with"), ("b/c", "because"),
    ("in charge of", "responsible for"), ("looks after", "maintains"), ("takes care of", "maintains"),
    ("take care of", "maintain"), ("depends on", "needs"), ("each and every", "every"), ("every single", "every"),
    ("operating system", "os"), ("virtual machine", "vm"), ("virtual machines", "vm"), ("environment variable", "envvar"),
    ("environment variables", "envvar"), ("env var", "envvar"), ("env vars", "envvar"), ("env variable", "envvar"),
    ("en lugar de", "insteadof"), ("en vez de", "insteadof"), ("antes de", "before"), ("después de", "after"),
    ("por lo menos", "atleast"), ("al menos", "atleast"), ("como máximo", "atmost"), ("a partir de", "from"),
    ("así que", "because"), ("ya que", "because"), ("hay que", "muss"), ("tiene que", "muss"), ("ya no", "nolonger"),
    ("zona horaria", "timezone"), ("zum beispiel", ""), ("z. b.", ""), ("z.b.", ""), ("nicht mehr", "nolonger"),
    ("mindestens", "atleast"), ("höchstens", "atmost"), ("bis zu", "atmost"), ("nicht länger als", "atmost"),
    ("nicht mehr als", "atmost"), ("anstelle von", "insteadof"), ("bevor", "before"), ("nachdem", "after"),
)  # fmt: skip

# Words that may come or go without changing what a note states.
LIGHT = word_set("""
    a an the this that these those such is are be been being am do does did done has have having it its
    he she they them him her his their theirs we us our you your i me my mine who whom whose which what whatever
    of in on at to for from by with as and or so also too please then there here onto into via per about regarding
    concerning around across along within toward towards upon both either own
    will would should must shall need require requir needed able possible allow want try tend
    just very really quite simply actually basically exactly precisely generally always every each all any everything
    everyone anything anyone currently now presently already still again ever overall altogether mostly normally
    otherwise else however therefore hence thus because cause reason though although even
    use used run ran running get got getting go goes going went take taking put place lay live located location reside
    sit stand stay remain found find kept keep store stored storing save hold held hosted contain include
    included including consist comprise exist appear happen occur come came become work working worked function set
    call called name named listen bind bound serve served expose exposed reach reachable available access
    accessible provide offer support perform carry handle handled deal apply made do make give given let bring
    remember note notice lesson learned learnt tip reminder hint rule convention preference decision fact info
    information important fyi caution attention careful warning context background reference summary key general misc
    user users person owner human one ones thing stuff way kind sort type matter case situation point
    port address ip url uri number value amount path location version hostname mount point behind
    machine project repo repository codebase file folder directory system environment env setup service instance
    according following follow stick based base back up out down got ok okay yes
    want like prefer wish expect liked preferred look see know known mean regard consider think
    currently directly fully whole entire complete completely properly correct correctly
    der die das den dem des ein eine einen einem einer eines ist sind wird werden sein hat haben im am
    an auf aus bei mit von vom zu zum zur für und oder auch so als wie es er sie ihr ihre ihren ihm ihn
    sich man wir uns unser unsere dass daß weil denn da damit immer stets bitte muss müssen soll sollen sollte darf
    dürfen kann können möchte mag will wollen gern gerne bevorzugt lieber läuft laufen lauscht liegt liegen befindet
    steht stehen nutzen benutzen nutzt benutzt verwenden verwendet gilt gelten heißt hier dort dieser diese dieses
    jeder jede jedes jeden alle aller allen schon noch nutzer benutzer nutzerin user datei ordner projekt rechner
    lebt wohnt gibt machen macht gemacht
    el la los las un una unos unas lo al del de en con por para que qué es son está están ser estar ha han hay
    se su sus le les y e o u también muy como porque ya pues siempre todo toda todos todas cada
    debe deben tiene tienen quiere prefiere gusta usa usan usar utiliza utilizar corre ejecuta ejecutar escucha
    encuentra vive usuario usuaria archivo carpeta proyecto máquina puerto aquí ahí este esta estos estas
    hacer hace guarda guardan puede
""")

# Words that occur in notes of every subject: they say something, yet less than a rare word.
COMMON = word_set("""
    server host database test tests file code config script command build deploy data log logs api app job team meeting
    message answer day week month time page table list line branch commit release tool package update change new
    read write start stop error fail send mail report docs key token account group client default style format
""")

# Words that mean the same in a note; the first stands for the others.
_ALIKE = """
prefer like want love favour favor wish enjoy appreciate insist bevorzugt
short concise brief terse succinct compact kurz knapp kurze knappe kurzen breve breves corta cortas corto cortos conciso concisas concisos
long lengthy verbose wordy lang ausführlich larga largo largas
answer reply respond response antwort antworten antwortet respuesta respuestas responder
folder directory dir ordner verzeichnis carpeta directorio
repository repo
database db datenbank datenbanken
config configuration configure conf setting konfiguration einstellung configuración
postgres postgresql pg
javascript js
typescript ts
python py
kubernetes k8s
production prod produktion producción
development dev entwicklung desarrollo
environment env
application app anwendung aplicación
document docs documentation doc doku dokumentation documentación
staging stage stg
start launch boot begin startup
restart relaunch neustarten neustart reiniciar reinicia
run execute invoke
use utilize utilise employ leverage adopt
large big huge groß grande
small little tiny klein pequeño
fast quick rapid schnell rápido
delete remove erase purge wipe löschen lösche gelöscht borrar eliminar borra elimina
create generate produce erstellen erzeugen crear generar
edit modify alter change ändern bearbeiten geändert editar modificar cambiar
overwrite clobber überschreiben überschrieben sobrescribir
fix repair resolve
break fail crash broke broken fehlschlagen schlägt falla fallar
error failure exception fehler
problem bug issue
reject refuse decline
block forbid prohibit ban disallow
job task cronjob
night nightly overnight nachts nacht nächtlich noche nocturno
day daily täglich tag tage diario diaria diariamente día
week weekly wöchentlich woche semanal semana
month monthly monatlich monat mensual mes
hour hourly stündlich stunde hora
year yearly annual annually jährlich jahr año anual
keep retain retention preserve kept store save aufbewahren aufbewahrt conservar conserva
send deliver transmit sent schicken gesendet enviar envía
receive get obtain
fetch retrieve download
show display
verify validate check
message msg nachricht mensaje
mail email e-mail mails correo
package pkg pakete paket paquete paquetes
password passwd pw pwd passwort contraseña
credential creds credentials zugangsdaten credenciales
certificate cert zertifikat certificado
authentication auth authenticate
authorization authz authorise authorize
administrator admin sysadmin
timezone tz zeitzone
picture image img photo bild imagen
chart graph plot diagramm gráfico
variable var
function func fn
parameter param argument arg
library lib
specification spec
dependency dep deps abhängigkeit dependencia
infrastructure infra
introduction intro preamble einleitung
connection conn verbindung conexión
permission perm
synchronize sync synchronise synced
command cmd befehl comando
flag switch option
extension ext
temporary temp tmp
maximum max limit cap
minimum min
average avg
branch rama
filesystem fs
cpu processor
gpu graphics
ram memory
summary recap digest zusammenfassung resumen
colleague coworker teammate kollege compañero
boss manager supervisor chef jefe
company employer firm firma empresa
kid child children kids kinder hijos
spouse partner
vacation holiday urlaub vacaciones
invoice bill rechnung factura rechnungen facturas
cost price kosten costo
weekend wochenende
manually manual manuell
automatic auto automatically automated automatisch automático automáticamente
outdated obsolete stale veraltet
mandatory obligatory required compulsory obligatorio
allow permit erlaubt permitido
critical crucial essential vital
identical same gleich igual
separate individual getrennt separado
empty blank leer vacío
hidden invisible
wrong incorrect falsch
missing absent lacking
explain describe explanation description erklären erklärung explicación
speak talk spoke spoken
mention tell say told said
move migrate relocate transfer
buy purchase bought
join combine
ask consult fragen frag pregunta preguntar
schedule plan
exceed surpass
increase raise
decrease reduce lower
contain include
manage maintain handle responsible oversee zuständig responsable
expire lapse abläuft caduca vence
renew erneuern renovar
require need necessitate
finish complete
choose select pick chose chosen
skip omit
ignore disregard
write compose draft wrote written
copy duplicate
split divide
lose lost
read
character char
retry resend
request req
attach append
rollback revert
build compile built
host server machine box rechner servidor
logfile log
backup back-up sicherung backups respaldo copia
snapshot snap
bandwidth throughput
quota allowance
laptop notebook
phone smartphone handy teléfono móvil
screen display
keyboard tastatur
dark dunkel oscuro
mode modus
theme colorscheme
emoji emojis
example sample ejemplo beispiel
comment kommentar comentario kommentare comentarios
test tests pruebas prueba
before vor
after nach
english englisch inglés
german deutsch alemán
spanish spanisch español castellano
chinese chinesisch chino
japanese japanisch japonés
french französisch francés
meeting besprechung reunión termin
vegetarian veggie
allergy allergic allergisch alérgico alergia
morning morgens mañana
evening abends abend
monday mon mo montag montags lunes
tuesday tue tues di dienstag dienstags martes
wednesday wed mittwoch mittwochs miércoles
thursday thu thur thurs donnerstag donnerstags jueves
friday fri fr freitag freitags viernes
saturday sat samstag samstags sábado
sunday sun sonntag sonntags domingo
january jan januar enero
february feb februar febrero
march mar märz marzo
april apr abril
june jun juni junio
july jul juli julio
august aug agosto
september sep sept septiembre
october oct oktober octubre
november nov noviembre
december dec dezember diciembre
"""
# Each line: words that exclude each other; one of each left over on both sides makes two facts of them. Of the first
# lines, the scopes, one that only one text has makes it narrower.
_SCOPES = """
production staging development test testing local remote sandbox preview demo prod canary
primary secondary replica master slave main backup fallback standby
internal external public private inbound outbound intranet
client server frontend backend
left right top bottom center rear
monday tuesday wednesday thursday friday saturday sunday weekday weekend
january february march april june july august september october november december
spring summer autumn winter
morning noon midday afternoon evening night midnight dawn
wife husband son daughter mother father brother sister spouse mum dad
english german spanish chinese japanese french portuguese italian korean russian dutch polish turkish swedish
linux macos windows android ios debian ubuntu fedora arch
weekday weekend holiday
unit integration e2e smoke
upstream downstream
admin guest root
"""
_OPPOSITES = """
hour day week month year minute second quarter fortnight sprint
first second third fourth last next previous final
read write
input output source target destination origin
import export
upload download
push pull
encode decode encrypt decrypt compress decompress
start stop restart pause resume
open close shut
add remove insert delete
increase decrease grow shrink
allow deny block reject accept forbid
include exclude
minimum maximum
above below
fast slow
hot cold warm
light dark bright
large small
short long
early late earlier later sooner
new old
sync async
formal informal casual
tab space
single double triple
uppercase lowercase camelcase snakecase kebabcase
http https
tcp udp
ipv4 ipv6
cpu gpu ram disk
arm64 amd64 x86 arm x64
buy sell rent
rust go golang java kotlin swift ruby php perl javascript typescript python
red green blue yellow black white orange purple grey pink
create delete drop
install uninstall
merge rebase squash cherry-pick
lock unlock
mount unmount
true false
active inactive
major minor patch
debug release
stable unstable beta nightly alpha
success failure
manually automatic
required optional
tea coffee
lead member
lint format
encrypt sign
hour minute
mm cm km
north south east west
lunch breakfast dinner
request response
question answer
parent child
sender recipient
horizontal vertical
ascending descending
weekly biweekly
header footer
row column
"""
NEGATORS = word_set("""
    not no never none without cannot cant dont doesnt didnt isnt arent wont shouldnt mustnt neednt havent hasnt wasnt
    off disabled disable inactive deactivated
    neither nor avoid avoids avoiding avoided refuse refuses forbidden disallowed prohibited banned unnecessary nobody
    nothing insteadof dislike dislikes disliked hate hates detest nolonger unable lacks isn't
    nicht kein keine keinen keinem keiner nie niemals ohne statt anstatt verboten vermeiden vermeide unnötig
    nunca sin jamás ni evita evitar prohibido tampoco
""")
# What a negation of this kind leaves of its word.
MEANT = {"dislike": "prefer", "dislikes": "prefer", "disliked": "prefer", "hate": "prefer", "hates": "prefer"}
# Words that limit, date or hedge a fact, by what they do to it.
BOUNDS = {
    word: name
    for name, words in {
        "only": "only solely exclusively nur ausschließlich solo solamente únicamente",
        "except": "unless except excluding apart außer excepto salvo",
        "if": "if when whenever once wenn falls sobald si cuando whilst while",
        "until": "until till bis hasta",
        "before": "before vor",
        "after": "after afterwards nach since",
        "past": "was were had formerly previously former nolonger ehemals früher war hatte antes",
        "old": "deprecated legacy retired",
        "hedge": "maybe perhaps sometimes often rarely might may could probably possibly occasionally vielleicht "
        "manchmal selten quizás veces",
        "optional": "optional optionally",
        "planned": "planned planning tbd upcoming geplant",
        "temporary": "temporary temporarily interim",
        "most": "atmost maximum max limit limited cap capped < <= ≤",
        "least": "atleast minimum min exceed exceeds > >= ≥",
        "almost": "almost nearly roughly approximately some ungefähr casi",
        "also": "notonly",
    }.items()
    for word in words.split()
}
# Small words that give the next word its part.
ROLES = {
    word: name
    for name, words in {
        "from": "from von desde",
        "to": "to into onto → -> nach hacia",
        "before": "before until vor",
        "after": "after since then",
        "over": "over insteadof than statt",
        "via": "via through",
        "replacedby": "replacedby",
    }.items()
    for word in words.split()
}
LINKS = word_set("and but while whereas or und aber oder y pero e sondern sino")

# -- Chinese and Japanese -------------------------------------------------------------------------------------------

# Spellings of one meaning; "" leaves a spelling out. The longest are replaced first.
_CJK_ALIKE = """
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
CJK_LIGHT = tuple("""
用户 使用者 请 請 偏好 所有 但是 保持 已经 因此 这个 那个 这台 这里 目前 当前 现在 地址 一般 通常 总是 始终 务必 必须 应该 应当 需要 可以 进行 一下 位于
的话 即可 就行 就好 直接 方式 内容 情况 项目 机器 相关 记得 注意 备注 说明 因为 由于 所以 因此 以便 为了 如果 通过 根据 还有
ユーザー してください ください します する です ます である こと ため ので から プロジェクト 現在
""".split())
# Sets that exclude each other, looked for in the text as it stands.
_CJK_CLASSES = """
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
    "們個來時對說過後這還進發動國學長開門問間關點無經線給網機車東電話語請讓認識記設計試驗證訊號資料庫檔碼標簽處備份為會員應該當實寫讀買賣幾張條單雙週連運還遠邊選項頁題類報導係級組織結構與專業務產業務輸執行種錄鐘錯環內傳轉換歡樂藥體響應複雜靜態啟動壓縮測試階層權限變歷買醫書臺灣圖團圓場塊壞夠夢頭奪兩嚴並麼義樣",
    "们个来时对说过后这还进发动国学长开门问间关点无经线给网机车东电话语请让认识记设计试验证讯号资料库档码标签处备份为会员应该当实写读买卖几张条单双周连运还远边选项页题类报导系级组织结构与专业务产业务输执行种录钟错环内传转换欢乐药体响应复杂静态启动压缩测试阶层权限变历买医书台湾图团圆场块坏够梦头夺两严并么义样",
)


@cache
def canonical() -> dict[str, str]:
    """Stem to the stem that stands for it."""
    found: dict[str, str] = {}
    for line in _ALIKE.strip().splitlines():
        first, *rest = (root(word) for word in line.split())
        for word in rest:
            found.setdefault(word, found.get(first, first))
    return found


def root(word: str) -> str:
    """A word in lower case without its ending."""
    return stem(word)


def meaning(word: str) -> str:
    """What stands for a word in lower case: its stem, or that of its synonym."""
    found = root(word)
    return canonical().get(found, canonical().get(word, found))


@cache
def light() -> frozenset[str]:
    """The light words as they stand in a text, and by their meaning."""
    return frozenset(LIGHT | {root(word) for word in LIGHT} | {meaning(word) for word in LIGHT})


@cache
def common() -> frozenset[str]:
    """The common words by their meaning."""
    return frozenset(meaning(word) for word in COMMON)


@cache
def classes() -> dict[str, frozenset[int]]:
    """Meaning to the numbers of the sets that exclude each other it stands in."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate((_SCOPES.strip() + _OPPOSITES).strip().splitlines()):
        for word in line.split():
            found.setdefault(meaning(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def scopes() -> int:
    """How many of the sets of `classes`, the first ones, are scopes."""
    return len(_SCOPES.strip().splitlines())


@cache
def cjk_alike() -> tuple[tuple[str, str], ...]:
    """Spellings and what stands for them, the longest first."""
    rows = (line.split(":") for line in _CJK_ALIKE.strip().splitlines())
    return tuple(sorted(((one, to) for to, words in rows for one in words.split()), key=lambda row: -len(row[0])))


@cache
def cjk_classes() -> tuple[tuple[str, ...], ...]:
    """Sets of Chinese and Japanese words that exclude each other."""
    return tuple(tuple(line.split()) for line in _CJK_CLASSES.strip().splitlines())


@cache
def simplified() -> dict[int, str]:
    """For str.translate: common traditional signs by the simplified ones."""
    return {ord(old): new for old, new in zip(*_TRADITIONAL, strict=True)}
