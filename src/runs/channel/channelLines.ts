import { ownField } from '#base/records/ownField.ts';
import { cutText } from '#base/text/cutText.ts';
import { formatDuration } from '#base/text/duration.ts';
import { shortId } from '#base/text/shortId.ts';
import {
	type AgentLogEvent,
	type ContainerEvent,
	type ContainerEventData,
	type ExecutionMetadata,
	isEvent,
	type NodeResultData,
	type WorkflowEvent,
} from '#contract/events.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import { type NodeData, standInOf } from '../events/nodeData.ts';
import { priceText } from '../events/priceText.ts';
import { RunBars } from '../events/runBars.ts';
import { setText } from '../events/setText.ts';
import { Timeline, type TimelineRow } from '../events/timeline.ts';
import { readForm } from '../forms/readForm.ts';
import type { RunRecord } from '../runTypes.ts';
import {
	audioEndText,
	columnsOf,
	countText,
	glyphs,
	headText,
	kindWidth,
	leadText,
	oneLine,
	outputText,
	titleWidth,
	valueText,
} from './lineFormat.ts';

/**
 * Text for the output channel: a whole line, or streamed text that continues the last text with the same `name`. The name is its prefix.
 */
export type ChannelText = { readonly line: string } | { readonly text: string; readonly lead: string; readonly name?: string };

/**
 * Formats one run as lines of the output channel: one line per event with aligned columns, the time and the run's short ID, nested like
 * iterations, loops and parallel branches ({@link RunBars}). Always English, like other logs: lines are searched and parsed by programs
 * (lineFormat.ts).
 */
export class ChannelLines {
	readonly #record: () => RunRecord;
	readonly #names: { readonly connection: string; readonly file: string | undefined };
	readonly #timeline = new Timeline();
	readonly #bars = new RunBars();
	/** Titles of nodes with streaming text, by node ID. */
	readonly #titles = new Map<string, string>();
	#id: string;
	#headed = false;

	constructor(record: () => RunRecord, names: { connection: string; file: string | undefined }) {
		this.#record = record;
		this.#names = names;
		this.#id = shortId(record().key);
	}

	/** Formats a journal entry. */
	write(entry: JournalEntry): ChannelText[] {
		if ('request' in entry) {
			// a streaming run starts with its first event, which has the run's ID
			return this.#record().mode === 'blocking' ? this.#head(entry.at) : [];
		}
		if ('event' in entry) {
			return this.#event(entry.event, entry.at);
		}
		return 'note' in entry ? [...this.#head(entry.at), this.#line(entry.at, '', `${glyphs.note} ${oneLine(entry.note)}`)] : [];
	}

	/** Formats how the run ended, and its outputs. */
	end(at: number): ChannelText[] {
		const { status, elapsedSeconds, totalTokens, totalSteps, error, outputs } = this.#record();
		const facts = [
			elapsedSeconds === undefined ? undefined : secondsText(elapsedSeconds),
			totalTokens === undefined ? undefined : `${countText(totalTokens)} tokens`,
			totalSteps === undefined || Number.isNaN(totalSteps) ? undefined : `${totalSteps} ${totalSteps === 1 ? 'step' : 'steps'}`,
			error ? oneLine(error) : undefined,
		];
		const lines = this.#head(at);
		lines.push({
			line: `${this.#lead(at)}${status === 'paused' ? glyphs.paused : glyphs.ended} ${[status, ...facts.filter(fact => fact !== undefined)].join('  ')}`,
		});
		for (const [name, value] of Object.entries(outputs ?? {})) {
			lines.push({ line: `${this.#lead(at)}${outputText(name, value)}` });
		}
		return lines;
	}

	#event(event: WorkflowEvent, at: number): ChannelText[] {
		if (event.event === 'ping') {
			return [];
		}
		const row = this.#timeline.take({ at, event });
		const lines = this.#head(at);
		if (isEvent(event, 'workflow_started') || isEvent(event, 'workflow_finished') || isEvent(event, 'workflow_paused')) {
			return lines;
		}
		const form = this.#form(at, event, row);
		if (form) {
			lines.push(form);
		} else if (row && isEvent(event, 'node_started')) {
			lines.push(this.#node(at, row, glyphs.started, [], undefined));
		} else if (row && isEvent(event, 'node_finished')) {
			lines.push(this.#node(at, row, glyphOf(event.data.status), resultFacts(event.data), event.data));
		} else if (row && isEvent(event, 'node_retry')) {
			lines.push(this.#node(at, row, glyphs.retry, [`retry ${event.data.retry_index}`, ...resultFacts(event.data)], event.data));
		} else if (row) {
			lines.push(this.#container(at, row, event.event, (event as ContainerEvent).data));
		} else if (isEvent(event, 'agent_log')) {
			lines.push(...this.#agentLog(at, event.data));
		} else if (isEvent(event, 'reasoning_chunk')) {
			return [...lines, { text: event.data.reasoning, lead: `${this.#lead(at)}│ ${glyphs.thought} ` }];
		} else if (isEvent(event, 'text_chunk')) {
			const name = this.#valueName(event.data.from_variable_selector);
			return [...lines, { text: event.data.text, lead: `${this.#lead(at)}│ ${glyphs.text} `, ...(name !== undefined && { name }) }];
		} else if (isEvent(event, 'text_replace')) {
			lines.push(this.#line(at, '│ ', `${glyphs.text} text replaced: ${valueText(event.data.text)}`));
		} else if (isEvent(event, 'tts_message')) {
			lines.push(
				this.#line(at, '│ ', `${glyphs.audio} ${'tts_message'.padEnd(kindWidth)}${countText(event.audio.length)} characters of audio`),
			);
		} else if (event.event === 'tts_message_end') {
			lines.push(this.#line(at, '│ ', audioEndText()));
		} else if (event.event === 'variable_set' && 'data' in event && typeof event.data === 'object' && event.data !== null) {
			lines.push(this.#line(at, '│ ', `${glyphs.byHand} ${'set by hand'.padEnd(kindWidth)}${setText(event.data)}`));
		} else if (isEvent(event, 'error')) {
			lines.push(
				this.#line(at, '│ ', `${glyphs.failed} ${'error'.padEnd(kindWidth)}${event.status} ${event.code}: ${oneLine(event.message)}`),
			);
		} else {
			lines.push(
				this.#line(at, '│ ', `${glyphs.other} ${event.event.padEnd(kindWidth)}${valueText('data' in event ? event.data : event)}`),
			);
		}
		return lines;
	}

	/** Formats a form's request or its result, indented like its node if that is known. */
	#form(at: number, event: WorkflowEvent, row: TimelineRow | undefined): ChannelText | undefined {
		const told = isEvent(event, 'human_input_required')
			? { glyph: glyphs.paused, ...event.data, what: askedText(event.data) }
			: isEvent(event, 'human_input_form_filled')
				? { glyph: glyphs.byHand, ...event.data, what: `answered: ${oneLine(event.data.action_text || event.data.action_id || '')}` }
				: isEvent(event, 'human_input_form_timeout')
					? { glyph: glyphs.exception, ...event.data, what: 'timed out' }
					: undefined;
		if (!told) {
			return undefined;
		}
		const columns = columnsOf({ kind: row?.kind ?? 'human-input', title: told.node_title || told.node_id });
		return this.#line(at, row ? this.#bars.of(row) : '│ ', `${told.glyph} ${columns}${told.what}`);
	}

	#head(at: number): ChannelText[] {
		if (this.#headed) {
			return [];
		}
		this.#headed = true;
		const { agent, runId, mode, user, draft, deploymentDraft } = this.#record();
		this.#id = shortId(runId ?? this.#record().key);
		const { connection, file } = this.#names;
		const name = `${agent}${draft || deploymentDraft ? ' (draft)' : ''}`;
		const head = headText(name, runId && shortId(runId), file, `${connection} · ${mode} · user ${user}`);
		return [{ line: `${this.#lead(at)}${head}` }];
	}

	#node(at: number, row: TimelineRow, glyph: string, facts: string[], result: NodeResultData | undefined): ChannelText {
		const container = row.parent === undefined ? undefined : this.#timeline.row(row.parent);
		const round = container && row.round !== undefined ? `${roundText(row.round, container.rounds)} ` : '';
		const time = result ? secondsText(Number(result.elapsed_time ?? 0) || 0).padStart(8) : '';
		const text = `${round}${glyph} ${columnsOf(row)}${time}`;
		const bars = !result ? this.#bars.start(row) : glyph === glyphs.retry ? this.#bars.of(row) : this.#bars.end(row);
		return this.#line(at, bars, [text.trimEnd(), ...facts].join('   '));
	}

	#container(at: number, row: TimelineRow, event: string, data: ContainerEventData): ChannelText {
		const column = columnsOf(row);
		if (event.endsWith('_started')) {
			const bars = this.#bars.start(row);
			this.#bars.open(row, bars);
			const what = event.startsWith('loop_') ? 'iterations at most' : 'items';
			return this.#line(at, bars, `${glyphs.container} ${column}${row.rounds === undefined ? '' : `${row.rounds} ${what}`}`.trimEnd());
		}
		if (event.endsWith('_next')) {
			return this.#line(at, this.#bars.inside(row), `${roundText(this.#timeline.roundIn(row.id) ?? 1, row.rounds)} →`);
		}
		const result = data as ContainerEventData & Partial<NodeResultData>;
		const time = secondsText(Number(result.elapsed_time ?? 0) || 0).padStart(8);
		const text = [`${glyphOf(result.status ?? 'succeeded')} ${column}${time}`, ...resultFacts(result)].join('   ');
		return this.#line(at, this.#bars.end(row), text);
	}

	/** One line for the start of an agent's round, and one for the end of each step in it. */
	#agentLog(at: number, { parent_id, label, status, error, metadata }: AgentLogEvent['data']): ChannelText[] {
		const begins = status === 'start';
		if (begins === Boolean(parent_id)) {
			return [];
		}
		const glyph = begins ? glyphs.started : glyphOf(status === 'success' ? 'succeeded' : 'failed');
		const seconds = Number(metadata?.['elapsed_time'] ?? 0) || 0;
		const column = columnsOf({ kind: 'agent_log', title: begins ? label : `  ${label}` });
		const facts = [
			`${column}${begins ? '' : secondsText(seconds).padStart(8)}`.trimEnd(),
			...(error ? [cutText(oneLine(error), 300)] : []),
		];
		return [this.#line(at, '│ ', `${glyph} ${facts.join('   ')}`)];
	}

	/** Name of a streamed text: the node's title and the variable. */
	#valueName(selector: readonly string[] | undefined): string | undefined {
		const [id, ...names] = selector ?? [];
		if (id === undefined) {
			return undefined;
		}
		let title = this.#titles.get(id);
		if (title === undefined) {
			// cached per node: the title can be long, and every chunk of text needs it
			title = cutText(oneLine(this.#timeline.lastOf(id)?.title || id), titleWidth);
			this.#titles.set(id, title);
		}
		return [title, ...names].join('.');
	}

	#line(at: number, bars: string, text: string): ChannelText {
		return { line: `${this.#lead(at)}${bars}${text}` };
	}

	#lead(at: number): string {
		return leadText(at, this.#id);
	}
}

/** The actions of a form and when it expires. */
function askedText(data: unknown): string {
	const { actions = [], token, expiresAt } = readForm(data) ?? {};
	const ways = actions.map(({ title }) => oneLine(title)).join(' | ');
	return [
		`waiting for input: ${ways}`,
		...(token === undefined ? ["(can't be answered here)"] : []),
		...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
	].join('  ');
}

function glyphOf(status: string): string {
	const { succeeded, failed, exception, stopped, otherEnd } = glyphs;
	return ownField<string>({ succeeded, failed, exception, stopped }, status) ?? otherEnd;
}

function resultFacts(data: Partial<NodeResultData>): string[] {
	const metadata: ExecutionMetadata = data.execution_metadata ?? {};
	const price = Number(metadata.total_price ?? 0);
	const known = ['succeeded', 'failed', 'exception', 'stopped', 'retry'].includes(data.status ?? 'succeeded');
	const handled =
		data.status === 'exception'
			? { 'fail-branch': '(fail-branch taken)', 'default-value': '(default value used)' }[String(metadata['error_strategy'])]
			: undefined;
	return [
		standInOf(data as NodeData),
		known ? undefined : data.status,
		metadata.total_tokens ? `${countText(metadata.total_tokens)} tokens` : undefined,
		price > 0 ? priceText(price, metadata.currency) : undefined,
		data.error ? cutText(oneLine(data.error), 300) : undefined,
		handled,
	].filter(fact => fact !== undefined);
}

function roundText(round: number, length: number | undefined): string {
	return length === undefined ? String(round) : `${round}/${length}`;
}

function secondsText(seconds: number): string {
	return formatDuration(seconds * 1000, 'exact');
}
