/** Whether a name fits a pattern in which `*` stands for any characters. */
export function wildcard(pattern: string): (name: string) => boolean {
	if (!pattern.includes('*')) {
		return name => name === pattern;
	}
	const regex = new RegExp(`^${pattern.split(/\*+/).map(escapeRegex).join('.*')}$`, 's');
	return name => regex.test(name);
}

function escapeRegex(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
