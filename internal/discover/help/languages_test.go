package help

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// tongues are texts as translations print them; want is written as in layouts.
var tongues = []struct{ name, text, want string }{
	{"German", `Aufruf: frob [-BREITE] [OPTION]… [DATEI]…

  -u, --unfold            nicht umbrechen
      --color[=WANN]      WANN kann „always“, „never“ oder „auto“ sein
  -w, --width=BREITE      so breit
  -1 (»eins«), --single   alles auf einmal
  -ANZAHL                 wie --context=ANZAHL
`, "-u/--unfold --color[=]={always,never,auto} -w/--width= -1/--single @ datei"},
	{"French", `Utilisation : frob [OPTION]... FICHIER

  -c ou --creer           créer
      --mode=MODE         MODE est « sec », « doux » ou « fou »
  -COLONNE, --colonnes=COLONNE  tant de colonnes
`, "-c/--creer --mode={sec,doux,fou} --colonnes= @ fichier"},
	{"Russian", `Использование: frob [ПАРАМЕТР]… ФАЙЛ

  -ЧИСЛО, --columns=ЧИСЛО   столько столбцов
  -a, --all                 всё
`, "--columns= -a/--all"},
	{"Japanese", `使用法: frob [OPTION]... FILE

  -f, --force                  上書きの前に確認を行わない
  -n, --no-clobber             既存のファイルを上書きしない
  -P, --physical               シンボリックリンク自体へのハードリンクを作成する
-f, -n を一つ以上使用した場合、最後のオプションが使用されます。
`, "-f/--force -n/--no-clobber -P/--physical @ file"},
	{"Chinese", `用法：frob [选项]... 文件

  -a, --append            将用户追加至其中
  -t, --terse             使用简洁格式输出
  -c, --format=格式       使用指定输出格式代替默认值，每用一次换一行
-t 选项的默认 <模式> 是 "warn"。
--terse 和以下 <格式> 等价：
`, "-a/--append -t/--terse -c/--format= @ 文件"},
	{"Spanish", `Uso: frob [opciones] orden
     frob [opciones] install|remove paq1 [paq2 ...]

frob es una interfaz de línea de órdenes para la obtención de paquetes.

Órdenes más utilizadas:
  update - Descarga nuevas listas
  install - Instala nuevos paquetes
  remove - Elimina paquetes
`, "> update > install > remove"},
}

func TestTongues(t *testing.T) {
	for _, x := range tongues {
		t.Run(x.name, func(t *testing.T) { checkFlags(t, Parse(x.text, []string{"frob"}), x.want) })
	}
}

// TestEncodings reads one text in several encodings and dresses.
func TestEncodings(t *testing.T) {
	const plain = "Usage: frob [OPTION]… FILE\n\n  -a, --größe=N  so groß\n      --color[=WHEN]  'always' or 'never'\n"
	units := utf16.Encode([]rune(plain))
	var little, big []byte
	for _, u := range units {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	latin := strings.NewReplacer("ö", "\xf6", "ß", "\xdf", "…", "...").Replace(plain)
	want := names(Parse(plain, []string{"frob"}))
	for name, text := range map[string]string{
		"UTF-16, little":           "\xff\xfe" + string(little),
		"UTF-16, big":              "\xfe\xff" + string(big),
		"UTF-16 without a mark":    string(little),
		"UTF-8 with a mark":        "\ufeff" + plain,
		"Latin-1":                  latin,
		"carriage returns":         strings.ReplaceAll(plain, "\n", "\r\n"),
		"colours":                  strings.ReplaceAll(plain, "--color", "\x1b[1;32m--color\x1b[0m"),
		"overstrike":               strings.ReplaceAll(plain, "--color", "-\b--\b-c\bco\bol\blo\bor\br"),
		"the pager's other screen": "\x1b[?1049h\x1b[?1h\x1b=" + plain + "\x1b[?1l\x1b>\x1b[?1049l",
	} {
		if got := names(Parse(text, []string{"frob"})); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// names are the options of a node with what they take.
func names(n *draft.Node) []string {
	var out []string
	for _, f := range n.Flags {
		for _, v := range f.Values {
			out = append(out, v.Text)
		}
		out = append(out, strings.Join(f.Names, "/")+" "+f.Arity.String())
	}
	return out
}
