import { styleText } from 'node:util';

/** Outcome that determines a text's color. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'quiet';

const formats = { good: 'green', bad: 'red', doubtful: 'yellow', quiet: 'dim' } as const;

/** Colors a text if the stream is a terminal with colors and `NO_COLOR` isn't set. */
export function colorText(tone: Tone, text: string, stream: NodeJS.WriteStream = process.stdout): string {
	return styleText(formats[tone], text, { stream });
}

/**
 * Makes foreign text safe for a terminal or job log. Puts it on one line, without control sequences, and disables commands of job runners,
 * both anywhere in a line (`##[…]`, `##vso[…]`) and at its start (`::…::`).
 */
export function toPlainLine(text: string): string {
	return text
		.replace(/\s+/g, blanks => (/[\r\n\u2028\u2029]/.test(blanks) ? ' ⏎ ' : blanks))
		.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
		.replace(/##(?=(?:vso)?\[)/g, '# #')
		.replace(/^(\s*):(?=:)/, '$1: ');
}

/**
 * Serializes a value as one line of JSON, or as several with an indent. Escapes characters that terminals obey, and disables commands of job
 * runners, which find `##vso[…]` anywhere in a line.
 */
export function toJsonLine(value: unknown, indent?: number): string {
	const json = JSON.stringify(value, undefined, indent).replaceAll('##', '\\u0023#');
	return `${json.replace(obeyed, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/** Control characters that JSON doesn't escape, line separators, and characters that change the direction of text. */
const obeyed = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Colors a line of the output channel for a terminal. Time and run are dimmed, and results of nodes are colored by outcome. */
export function colorRunLine(text: string): string {
	const line = toPlainLine(text);
	const [, lead = '', sign = '', rest = ''] = /^(\d\d:\d\d:\d\d\.\d{3} {2}\S{1,40} {2}(?:[│┆] ){0,40})(\S)(.*)$/u.exec(line) ?? [];
	if (lead === '') {
		return line;
	}
	const tone = signTones[sign];
	// the status of a run follows the symbol
	const isFailed = sign === '■' && !/^ succeeded/.test(rest);
	return `${colorText('quiet', lead, process.stderr)}${tone ? colorText(isFailed ? 'bad' : tone, sign, process.stderr) : sign}${rest}`;
}

const signTones: Readonly<Record<string, Tone>> = {
	'✔': 'good',
	'■': 'good',
	'✖': 'bad',
	'⚠': 'doubtful',
	'↺': 'doubtful',
	'‖': 'doubtful',
};

/** Writes to standard output. Resolves when there is room for more, so that a slow reader doesn't make memory grow. */
export async function writeOutput(text: string): Promise<void> {
	if (!process.stdout.write(text) && !process.stdout.destroyed) {
		await new Promise<void>(resolve => {
			const endWait = () => {
				process.stdout.off('drain', endWait).off('close', endWait);
				resolve();
			};
			process.stdout.on('drain', endWait).on('close', endWait);
		});
	}
}

/** Writes a line to standard error. */
export function printLine(line: string): void {
	process.stderr.write(`${line}\n`);
}
