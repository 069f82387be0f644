const accents: Readonly<Record<string, string>> = Object.fromEntries(
	Array.from('aeiounscyzAEIOUNSCYZ', (letter, index) => [letter, Array.from('áéíóúñšçýžÁÉÍÓÚÑŠÇÝŽ')[index]!]),
);

/** Adds accents and brackets to a string and makes it about 40% longer; keeps placeholders, code, links, icons and files of the package. */
export function toPseudoTranslation(text: string): string {
	if (/^media\/\S+$/.test(text)) {
		return text;
	}
	const parts = text.split(/(\{\{.*?\}\}|\{\w+\}|`[^`]*`|\]\([^)]*\)|\$\([\w~-]+\)|%\w+%)/);
	const accented = parts
		.map((part, index) => (index % 2 === 0 ? part.replace(/[a-z]/gi, letter => accents[letter] ?? letter) : part))
		.join('');
	return `⟦${accented}${' ~~~~'.repeat(Math.ceil(text.length / 12))}⟧`;
}
