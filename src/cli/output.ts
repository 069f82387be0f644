import { styleText } from 'node:util';

/** Colours that stand for how something went. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'quiet';

const formats = { good: 'green', bad: 'red', doubtful: 'yellow', quiet: 'dim' } as const;

/** A text in a colour, where the stream is a terminal that shows some and `NO_COLOR` does not forbid it. */
export function toned(tone: Tone, text: string, stream: NodeJS.WriteStream = process.stdout): string {
	return styleText(formats[tone], text, { stream });
}

/**
 * A text of others on one line, without anything that moves a terminal's cursor or changes its colours, and without what the runners of
 * jobs take for their commands: wherever it stands in a line (`##[…]`, `##vso[…]`), or where a line begins (`::…::`).
 */
export function plain(text: string): string {
	return text
		.replace(/\s+/g, blanks => (/[\r\n\u2028\u2029]/.test(blanks) ? ' ⏎ ' : blanks))
		.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
		.replace(/##(?=(?:vso)?\[)/g, '# #')
		.replace(/^(\s*):(?=:)/, '$1: ');
}

/** A value as one line of JSON, without what the runners of jobs take for their commands: they find `##vso[…]` anywhere in a line. */
export function jsonLine(value: unknown): string {
	return `${JSON.stringify(value).replaceAll('##', '\\u0023#')}\n`;
}

/** How a line of the output channel looks on a terminal: time and run recede, what happened to a node has its color. */
export function coloredRunLine(text: string): string {
	const line = plain(text);
	const [, lead = '', sign = '', rest = ''] = /^(\d\d:\d\d:\d\d\.\d{3} {2}\S{1,40} {2}(?:[│┆] ){0,40})(\S)(.*)$/u.exec(line) ?? [];
	if (lead === '') {
		return line;
	}
	const tone = signTones[sign];
	// the end of a run has its status behind the sign
	const isFailed = sign === '■' && !/^ succeeded/.test(rest);
	return `${toned('quiet', lead, process.stderr)}${tone ? toned(isFailed ? 'bad' : tone, sign, process.stderr) : sign}${rest}`;
}

const signTones: Readonly<Record<string, Tone>> = {
	'✔': 'good',
	'■': 'good',
	'✖': 'bad',
	'⚠': 'doubtful',
	'↺': 'doubtful',
	'‖': 'doubtful',
};

/** Writes to standard output; resolves when there is room for more, so that nobody reads slower than is written. */
export async function write(text: string): Promise<void> {
	if (!process.stdout.write(text) && !process.stdout.destroyed) {
		await new Promise<void>(resolve => {
			process.stdout.once('drain', resolve);
			process.stdout.once('close', resolve);
		});
	}
}

/** Writes a line to standard error: what is said about the work, not what comes of it. */
export function tell(line: string): void {
	process.stderr.write(`${line}\n`);
}
