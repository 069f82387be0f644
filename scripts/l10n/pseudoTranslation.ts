const accents: Readonly<Record<string, string>> = Object.fromEntries(
	Array.from('aeiounscyzAEIOUNSCYZ', (letter, index) => [letter, Array.from('áéíóúñšçýžÁÉÍÓÚÑŠÇÝŽ')[index]!]),
);

/** The string with accents and, in brackets, about 40 % longer; placeholders, code, links and icons as they are. */
export function toPseudo(text: string): string {
	const parts = text.split(/(\{\{.*?\}\}|\{\w+\}|`[^`]*`|\]\([^)]*\)|\$\([\w~-]+\)|%\w+%)/);
	const accented = parts
		.map((part, index) => (index % 2 === 0 ? part.replace(/[a-z]/gi, letter => accents[letter] ?? letter) : part))
		.join('');
	return `⟦${accented}${' ~~~~'.repeat(Math.ceil(text.length / 12))}⟧`;
}
