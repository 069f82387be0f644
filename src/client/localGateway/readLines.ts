/** Calls `each` with every line of a stream that isn't empty. A stream that fails ends with 'close' too: the error says nothing more. */
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
