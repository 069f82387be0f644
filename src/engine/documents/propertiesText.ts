/** Settings of Java programs as the hosted service gives them: `key: value` a line, comments as they stand. */
export function propertiesText(text: string): string {
	return text
		.split(/\r\n|[\n\r]/)
		.map(lineText)
		.join('\n')
		.replace(/\n$/, '');
}

function lineText(line: string): string {
	const stripped = line.trim();
	if (stripped === '' || stripped.startsWith('#') || stripped.startsWith('!')) {
		return stripped;
	}
	const separator = stripped.includes('=') ? '=' : ':';
	const [key = '', ...value] = stripped.split(separator);
	return `${key.trim()}: ${value.join(separator).trim()}`;
}
