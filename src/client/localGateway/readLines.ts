/** Calls `each` with every non-empty line of a stream. Errors are ignored because 'close' follows them. */
export function readLines(stream: NodeJS.ReadableStream, each: (line: string) => void): void {
	let rest = '';
	stream.setEncoding('utf8');
	stream.on('data', (text: string) => {
		const lines = (rest + text).split(/\r?\n/);
		rest = lines.pop() ?? '';
		lines.filter(line => line !== '').forEach(each);
	});
	stream.on('error', () => {});
}
