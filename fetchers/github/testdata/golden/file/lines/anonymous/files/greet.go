package main

// greetings holds a greeting for each language.
var greetings = map[string]string{
	"de": "Hallo",
	"en": "Hello",
	"fr": "Bonjour",
	"it": "Ciao",
}

// greet greets in lang, and in English where it does not know the language.
func greet(lang string) string {
	if g, ok := greetings[lang]; ok {
		return g
	}
	return greetings["en"]
}
