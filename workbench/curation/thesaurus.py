"""What words mean the same, which say little, and which exclude each other: for judging entries in other words.

General vocabulary of short notes about work, machines and people, in English and, thinner, in German and Spanish
(Chinese and Japanese: `thesaurus_cjk`). A missing word costs a suggestion; a wrong synonym would offer a wrong one, so
words that are only sometimes exchanged (file and folder, host and container, question and answer) stay apart.
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
    ("instead of", "insteadof"), ("rather than", "insteadof"), ("in place of", "insteadof"),
    ("in favor of", "replacedby"), ("in favour of", "replacedby"), ("not only", "notonly"),
    ("for instance", ""), ("for example", ""),
    ("e.g.", ""), ("i.e.", ""), ("such as", ""), ("w/o", "without"), ("w/", "with"), ("b/c", "because"),
    ("in charge of", "responsible for"), ("looks after", "maintains"), ("takes care of", "maintains"),
    ("take care of", "maintain"), ("depends on", "needs"), ("each and every", "every"), ("every single", "every"),
    ("operating system", "os"), ("virtual machine", "vm"), ("virtual machines", "vm"),
    ("environment variable", "envvar"),
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
    he she they them him her his their theirs we us our you your i me my who whom whose which what whatever
    of in on at to for from by with as and or so also too please then there here onto into via per about regarding
    concerning around across along within toward towards upon both either own
    will would should must shall need require requir needed able possible want try tend
    just very really quite simply actually basically exactly precisely generally always every each all any everything
    everyone anything anyone currently now presently already still again ever overall altogether mostly normally
    otherwise else however therefore hence thus because cause reason though although
    use used run ran running get got getting go goes going went take taking put place lay live located location reside
    sit stand stay remain found find kept keep store stored storing save hold held hosted contain
    consist comprise exist appear happen occur come came become work working worked function
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
    jeder jede jedes jeden alle aller allen schon nutzer benutzer nutzerin user datei ordner projekt rechner
    lebt wohnt gibt machen macht gemacht
    el la los las un una unos unas lo al del de en con por para que qué es está están ser estar ha han hay
    se su sus le les y e o u también muy como porque ya pues siempre todo toda todos todas cada
    debe deben tiene tienen quiere prefiere gusta usa usan usar utiliza utilizar corre ejecuta ejecutar escucha
    encuentra vive usuario usuaria archivo carpeta proyecto máquina puerto aquí ahí este esta estos estas
    hacer hace guarda guardan puede
    host receive manage maintain
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
short concise brief terse succinct compact kurz knapp kurze knappe kurzen breve corta cortas corto conciso
long lengthy verbose wordy lang ausführlich larga largo largas
answer reply respond response antwort antworten antwortet respuesta respuestas responder
folder directory dir ordner verzeichnis carpeta directorio
repository repo
database db datenbank datenbanken
config configuration configure conf settings konfiguration einstellung configuración
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
mandatory obligatory compulsory obligatorio
need require necessitate
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
hour day night week month year minute second quarter fortnight sprint
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
stable unstable beta alpha
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
        "before": "before until then vor",
        "after": "after since",
        "over": "over insteadof than statt",
        "via": "via through",
        "replacedby": "replacedby",
    }.items()
    for word in words.split()
}
LINKS = word_set("and but while whereas or und aber oder y pero e sondern sino")


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
    """The light words as they stand in a text, and without their endings."""
    return frozenset(LIGHT | {root(word) for word in LIGHT})


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
