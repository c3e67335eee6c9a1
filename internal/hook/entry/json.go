package entry

import "github.com/tool-mapping-protocol/tmp/internal/splice"

// jsonTexts are the texts of a list.
func jsonTexts(list string) (texts []string) {
	n, err := splice.Parse([]byte(list))
	if err != nil || n == nil {
		return nil
	}
	for _, el := range n.Elements {
		texts = append(texts, el.Text)
	}
	return texts
}
