import { getOwnField } from '#base/records/ownField.ts';
import { cutText, cutToLimit } from '#base/text/cutText.ts';

/** Maximum length of a value in the channel, in UTF-16 units. Longer values are cut and link to the whole value. */
const longestValue = 100;
export const kindWidth = 20;
export const titleWidth = 28;
/** Width of the bar of a node that isn't nested. */
export const barWidth = 2;
/** Maximum length of a node's error. */
export const longestError = 300;

/** Symbols after the time, the run's ID and the bars. A test keeps the grammar in media/runs.tmLanguage.json in sync. */
export const glyphs = {
	head: '▷',
	ended: '■',
	paused: '‖',
	started: '▸',
	container: '↻',
	retry: '↺',
	succeeded: '✔',
	failed: '✖',
	exception: '⚠',
	stopped: '■',
	otherEnd: '•',
	byHand: '✎',
	audio: '♪',
	text: '❯',
	thought: '∴',
	note: '…',
	other: '?',
} as const;

/** Returns the symbol of a node's final status. */
export function getStatusGlyph(status: string): string {
	const { succeeded, failed, exception, stopped, otherEnd } = glyphs;
	return getOwnField<string>({ succeeded, failed, exception, stopped }, status) ?? otherEnd;
}

/** Separates the columns. */
const gap = '  ';
/** End of a line that links to the audio of its run. */
const audioEnd = 'tts_message_end     audio: open';

/** Length of the time at the start of each line. */
const timeLength = 12;

/** Formats the start of each line: the time. */
export function formatLinePrefix(at: number): string {
	return `${formatTime(at)}${gap}`;
}

/** Adds a run's short ID after the time of a line, because lines of several runs are mixed. */
export function insertRunId(text: string, id: string): string {
	return `${text.slice(0, timeLength)}${gap}${id}${text.slice(timeLength)}`;
}

/** Formats the first line of a run, without the lead. */
export function formatRunHead(agent: string, id: string | undefined, file: string | undefined, origin: string): string {
	return `${glyphs.head} ${[agent, id ? `run ${id}` : 'run', ...(file ? [file] : []), origin].join(gap)}`;
}

/** Formats an output of a finished run, without the lead. */
export function formatOutputLine(name: string, value: unknown): string {
	return `${gap}${name}: ${formatValue(value)}`;
}

export function formatAudioEnd(): string {
	return `${glyphs.audio} ${audioEnd}`;
}

/** Formats the type and title of a node in columns. `indent`: number of characters before them, so that durations stay in their column. */
export function formatNodeColumns({ kind, title }: { readonly kind: string; readonly title: string }, indent = 0): string {
	return `${kind.padEnd(kindWidth)}${cutText(toOneLine(title), titleWidth).padEnd(titleWidth - indent)}`;
}

/** Formats a value as JSON on one line. A long value is cut, and followed by its size and a link to the whole value. */
export function formatValue(value: unknown): string {
	// don't convert many megabytes to JSON only to cut the result
	const size = typeof value === 'string' ? value.length : undefined;
	const json =
		size !== undefined && size > longestValue
			? JSON.stringify((value as string).slice(0, longestValue))
			: (JSON.stringify(value) ?? 'null');
	if (size === undefined ? json.length <= longestValue : size <= longestValue) {
		return json;
	}
	return `${cutToLimit(json, longestValue - 1)}… (${formatCount(size ?? json.length)} characters: open)`;
}

function formatCount(count: number): string {
	return count.toLocaleString('en-US');
}

export function toOneLine(text: string): string {
	return text.replace(/\s+/g, blanks => (/[\r\n\u2028\u2029]/.test(blanks) ? ' ⏎ ' : blanks));
}

function formatTime(at: number): string {
	const date = new Date(at);
	const padToTwoDigits = (n: number) => String(n).padStart(2, '0');
	return `${padToTwoDigits(date.getHours())}:${padToTwoDigits(date.getMinutes())}:${padToTwoDigits(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** A part of the channel's text that links to something in its run. */
export interface ChannelLink {
	readonly to: 'run' | 'file' | 'output' | 'audio' | 'failure';
	/** UTF-16 units from the start of the channel's text. */
	readonly start: number;
	readonly length: number;
	/** Name of the linked file or output, or the line of a program that failed; empty for other links. */
	readonly name: string;
	/** The run's short ID. */
	readonly id: string;
}

/** A glyph at the start of a line is followed by only one space. */
const line = /^[\d:.]{12} {2}(?:(\S{1,8}) {2}(?=\S| {2}))?(.*)$/gm;
const headRun = /^run(?: (\S+))?$/;
const outputName = /^ {2}(.+?): /;
const cutSize = /\(([\d,]+ characters: open)\)$/;
const openAtEnd = /\bopen\)?$/;
const failedLine = /\(line (\d{1,6})[:)]/;

/** Finds the links in the channel's text to the runs with these short IDs. A line without an ID belongs to the run that started last. */
export function* findChannelLinks(text: string, runs: { has(id: string): boolean }): Generator<ChannelLink> {
	let last = '';
	for (const { 0: whole, 1: shown, 2: rest = '', index } of text.matchAll(line)) {
		const isHead = rest.startsWith(`${glyphs.head} `);
		const parts = isHead ? rest.split(gap) : [];
		const run = parts.findIndex(part => headRun.test(part));
		if (isHead) {
			last = headRun.exec(parts[run] ?? '')?.[1] ?? '';
		}
		const id = shown ?? last;
		if (!runs.has(id)) {
			continue;
		}
		const restStart = index + whole.length - rest.length;
		const createChannelLink = (to: ChannelLink['to'], start: number, length: number, name = '') => ({
			to,
			start: restStart + start,
			length,
			name,
			id,
		});
		if (isHead) {
			const before = parts.slice(0, run + 1).join(gap);
			yield createChannelLink('run', before.length - id.length, id.length);
			const [file, origin] = run < 0 ? [] : parts.slice(run + 1);
			if (file && origin !== undefined) {
				yield createChannelLink('file', before.length + gap.length, file.length, file);
			}
			continue;
		}
		const failed = failedLine.exec(rest);
		if (failed) {
			yield createChannelLink('failure', failed.index + 1, failed[0].length - 2, failed[1]);
		}
		const name = outputName.exec(rest)?.[1];
		const size = cutSize.exec(rest)?.[1];
		const open = openAtEnd.exec(rest);
		if (name && size) {
			yield createChannelLink('output', rest.length - size.length - 1, size.length, name);
		} else if (open) {
			yield createChannelLink(rest.endsWith(audioEnd) ? 'audio' : 'run', open.index, 'open'.length);
		}
	}
}
