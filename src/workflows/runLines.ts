import {
	type ContainerEvent,
	type ContainerEventData,
	type ExecutionMetadata,
	isEvent,
	type NodeEventData,
	type NodeResultData,
	type TtsEvent,
	type WorkflowEvent,
} from '../protocol/events.ts';
import { type BarsNode, RunBars } from './runBars.ts';
import type { JournalEntry, RunRecord } from './runTypes.ts';

/** Text for the output channel: whole lines, or streamed text that goes on from the last of it. */
export type ChannelText = { readonly line: string } | { readonly text: string; readonly lead: string };

/** Longest value that stands in the channel whole, in UTF-16 units; a longer one is cut and links to the whole. */
const longestValue = 100;
const kindWidth = 20;
const titleWidth = 28;

/**
 * Writes one run as lines of the output channel: one line an event, columns aligned, each line with the time and the run's short ID,
 * nested as iterations, loops and parallel branches are ({@link RunBars}). English and free of locale, as logs are: lines are searched and read by programs. The grammar
 * in media/runs.tmLanguage.json and the links of runLinks.ts read what is written here.
 */
export class RunLines {
	readonly #record: () => RunRecord;
	readonly #names: { readonly connection: string; readonly file: string | undefined };
	/** Containers that run or ran, by node ID: the bars of what is inside, and which round they are in. */
	readonly #containers = new Map<string, { inside: string; round: number; length: number | undefined }>();
	readonly #bars = new RunBars();
	#id: string;
	#headed = false;

	constructor(record: () => RunRecord, names: { connection: string; file: string | undefined }) {
		this.#record = record;
		this.#names = names;
		this.#id = shortId(record().key);
	}

	/** Lines of one journal entry. */
	write(entry: JournalEntry): ChannelText[] {
		if ('request' in entry) {
			// a streaming run is headed by its first event, which knows the run's ID
			return this.#record().mode === 'blocking' ? this.#head(entry.at) : [];
		}
		if ('event' in entry) {
			return this.#event(entry.event, entry.at);
		}
		return 'note' in entry ? [...this.#head(entry.at), this.#line(entry.at, '', `… ${oneLine(entry.note)}`)] : [];
	}

	/** Lines on how the run ended, and its outputs. */
	end(at: number): ChannelText[] {
		const { status, elapsedSeconds, totalTokens, totalSteps, error, outputs } = this.#record();
		const facts = [
			elapsedSeconds === undefined ? undefined : secondsText(elapsedSeconds),
			totalTokens === undefined ? undefined : `${countText(totalTokens)} tokens`,
			totalSteps === undefined || Number.isNaN(totalSteps) ? undefined : `${totalSteps} ${totalSteps === 1 ? 'step' : 'steps'}`,
			error ? oneLine(error) : undefined,
		];
		const lines = this.#head(at);
		lines.push({ line: `${this.#lead(at)}■ ${[status, ...facts.filter(fact => fact !== undefined)].join('  ')}` });
		for (const [name, value] of Object.entries(outputs ?? {})) {
			lines.push({ line: `${this.#lead(at)}  ${name}: ${valueText(value)}` });
		}
		return lines;
	}

	#event(event: WorkflowEvent, at: number): ChannelText[] {
		if (event.event === 'ping') {
			return [];
		}
		const lines = this.#head(at);
		if (isEvent(event, 'workflow_started') || isEvent(event, 'workflow_finished')) {
			return lines;
		}
		if (isEvent(event, 'node_started')) {
			lines.push(this.#node(at, event.data, '▸', [], undefined));
		} else if (isEvent(event, 'node_finished')) {
			lines.push(this.#node(at, event.data, glyphOf(event.data.status), resultFacts(event.data), event.data));
		} else if (isEvent(event, 'node_retry')) {
			lines.push(this.#node(at, event.data, '↺', [`retry ${event.data.retry_index}`, ...resultFacts(event.data)], event.data));
		} else if (/^(iteration|loop)_(started|next|completed)$/.test(event.event)) {
			lines.push(this.#container(at, event.event, (event as ContainerEvent).data));
		} else if (isEvent(event, 'text_chunk')) {
			return [...lines, { text: event.data.text, lead: `${this.#lead(at)}│ ❯ ` }];
		} else if (isEvent(event, 'text_replace')) {
			lines.push(this.#line(at, '│ ', `❯ text replaced: ${valueText(event.data.text)}`));
		} else if (event.event === 'tts_message') {
			lines.push(
				this.#line(at, '│ ', `♪ ${'tts_message'.padEnd(kindWidth)}${countText((event as TtsEvent).audio.length)} characters of audio`),
			);
		} else if (event.event === 'tts_message_end') {
			lines.push(this.#line(at, '│ ', '♪ tts_message_end     audio: open'));
		} else if (isEvent(event, 'error')) {
			lines.push(this.#line(at, '│ ', `✖ ${'error'.padEnd(kindWidth)}${event.status} ${event.code}: ${oneLine(event.message)}`));
		} else {
			lines.push(this.#line(at, '│ ', `? ${event.event.padEnd(kindWidth)}${valueText('data' in event ? event.data : event)}`));
		}
		return lines;
	}

	#head(at: number): ChannelText[] {
		if (this.#headed) {
			return [];
		}
		this.#headed = true;
		const { agent, runId, mode, user, draft } = this.#record();
		this.#id = shortId(runId ?? this.#record().key);
		const { connection, file } = this.#names;
		const parts = [
			`${agent}${draft ? ' (draft)' : ''}`,
			runId ? `run ${shortId(runId)}` : 'run',
			...(file ? [file] : []),
			`${connection} · ${mode} · user ${user}`,
		];
		return [{ line: `${this.#lead(at)}▷ ${parts.join('  ')}` }];
	}

	#node(at: number, data: NodeEventData, glyph: string, facts: string[], result: NodeResultData | undefined): ChannelText {
		const place = placeOf(data);
		const container = this.#containers.get(place.container ?? '');
		const metadata = result?.execution_metadata as Indexes | null | undefined;
		const index = indexOf(metadata ?? {}) ?? indexOf(data as Indexes);
		const round = container ? `${roundText(index === undefined ? container.round : index + 1, container.length)} ` : '';
		const time = result ? secondsText(result.elapsed_time).padStart(8) : '';
		const text = `${round}${glyph} ${data.node_type.padEnd(kindWidth)}${clip(oneLine(data.title), titleWidth).padEnd(titleWidth)}${time}`;
		const bars = !result ? this.#bars.start(place) : glyph === '↺' ? this.#bars.of(place) : this.#bars.end(place);
		return this.#line(at, bars, [text.trimEnd(), ...facts].join('   '));
	}

	#container(at: number, event: string, data: ContainerEventData): ChannelText {
		const place = placeOf(data);
		const known = this.#containers.get(data.node_id);
		const column = `${data.node_type.padEnd(kindWidth)}${clip(oneLine(data.title), titleWidth).padEnd(titleWidth)}`;
		if (event.endsWith('_started')) {
			const metadata = data['metadata'] as { iteration_length?: unknown; loop_length?: unknown } | undefined;
			const length = metadata?.iteration_length ?? metadata?.loop_length;
			const bars = this.#bars.start(place);
			const inside = this.#bars.open(data.node_id, bars);
			this.#containers.set(data.node_id, { inside, round: 1, length: typeof length === 'number' ? length : undefined });
			const what = event.startsWith('loop') ? 'rounds at most' : 'items';
			return this.#line(at, bars, `↻ ${column}${typeof length === 'number' ? `${length} ${what}` : ''}`.trimEnd());
		}
		if (event.endsWith('_next')) {
			const round = typeof data['index'] === 'number' ? data['index'] + 1 : (known?.round ?? 0) + 1;
			const inside = known?.inside ?? this.#bars.open(data.node_id, this.#bars.of(place));
			this.#containers.set(data.node_id, { inside, round, length: known?.length });
			return this.#line(at, inside, `${roundText(round, known?.length)} →`);
		}
		const result = data as ContainerEventData & Partial<NodeResultData>;
		const time = secondsText(result.elapsed_time ?? 0).padStart(8);
		const text = [`${glyphOf(result.status ?? 'succeeded')} ${column}${time}`, ...resultFacts(result)].join('   ');
		return this.#line(at, this.#bars.end(place), text);
	}

	#line(at: number, bars: string, text: string): ChannelText {
		return { line: `${this.#lead(at)}${bars}${text}` };
	}

	#lead(at: number): string {
		return `${timeText(at)}  ${this.#id}  `;
	}
}

/** What inner nodes say of their round, which counts from 0. */
interface Indexes {
	readonly iteration_index?: unknown;
	readonly loop_index?: unknown;
}

function indexOf({ iteration_index, loop_index }: Indexes): number | undefined {
	const index = iteration_index ?? loop_index;
	return typeof index === 'number' ? index : undefined;
}

function placeOf(data: NodeEventData | ContainerEventData): BarsNode {
	const { predecessor_node_id: predecessor, iteration_id, loop_id } = data as Partial<NodeEventData>;
	const container = iteration_id ?? loop_id ?? undefined;
	return { id: data.id, nodeId: data.node_id, predecessor: predecessor ?? undefined, container, round: indexOf(data as Indexes) };
}

/**
 * Last characters of an ID, enough to find it by; the links of the channel lead to the whole. Not the first: in the time-ordered UUIDs
 * that services give their runs these are the same for a minute.
 */
export function shortId(id: string): string {
	return id.slice(-8);
}

/** A value on one line: as JSON, cut where it is long, with its size and the word that links to the whole. */
export function valueText(value: unknown): string {
	// a value of many megabytes is not turned into JSON only to be cut
	const size = typeof value === 'string' ? value.length : undefined;
	const json =
		size !== undefined && size > longestValue
			? JSON.stringify((value as string).slice(0, longestValue))
			: (JSON.stringify(value) ?? 'null');
	if (size === undefined ? json.length <= longestValue : size <= longestValue) {
		return json;
	}
	const cut = json.slice(0, longestValue - 1).replace(/[\ud800-\udbff]$/, '');
	return `${cut}… (${countText(size ?? json.length)} characters: open)`;
}

function glyphOf(status: string): string {
	return { succeeded: '✔', failed: '✖', exception: '⚠', stopped: '■' }[status] ?? '•';
}

function resultFacts(data: Partial<NodeResultData>): string[] {
	const metadata: ExecutionMetadata = data.execution_metadata ?? {};
	const price = Number(metadata.total_price ?? 0);
	const known = ['succeeded', 'failed', 'exception', 'stopped', 'retry'].includes(data.status ?? 'succeeded');
	const handled =
		data.status === 'exception'
			? { 'fail-branch': '(fail-branch taken)', 'default-value': '(default value taken)' }[String(metadata['error_strategy'])]
			: undefined;
	return [
		known ? undefined : data.status,
		metadata.total_tokens ? `${countText(metadata.total_tokens)} tokens` : undefined,
		price > 0 ? priceText(price, metadata.currency) : undefined,
		data.error ? clip(oneLine(data.error), 300) : undefined,
		handled,
	].filter(fact => fact !== undefined);
}

function priceText(price: number, currency: string | undefined): string {
	const amount = price.toFixed(6).replace(/0{1,4}$/, '');
	return currency === undefined || currency === 'USD' ? `$${amount}` : `${amount} ${currency}`;
}

function roundText(round: number, length: number | undefined): string {
	return length === undefined ? String(round) : `${round}/${length}`;
}

function secondsText(seconds: number): string {
	const ms = seconds * 1000;
	if (ms < 1000) {
		return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
	}
	return seconds < 60 ? `${seconds.toFixed(2)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function countText(count: number): string {
	return count.toLocaleString('en-US');
}

function timeText(at: number): string {
	const date = new Date(at);
	const two = (n: number) => String(n).padStart(2, '0');
	return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function oneLine(text: string): string {
	return text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ⏎ ');
}

function clip(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
