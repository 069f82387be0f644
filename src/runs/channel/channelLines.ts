import { cutText } from '#base/text/cutText.ts';
import { formatDuration } from '#base/text/duration.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import { shortenId } from '#base/text/shortId.ts';
import { getTextSelector } from '#contract/eventFields.ts';
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
import { getNodeCosts } from '../events/nodeCosts.ts';
import { getStandIn, type NodeData } from '../events/nodeData.ts';
import { formatPrice } from '../events/priceText.ts';
import { RunBars } from '../events/runBars.ts';
import { formatVariableSet } from '../events/setText.ts';
import { Timeline, type TimelineRow } from '../events/timeline.ts';
import { readForm } from '../forms/readForm.ts';
import type { RunRecord } from '../runTypes.ts';
import {
	barWidth,
	formatAudioEnd,
	formatLinePrefix,
	formatNodeColumns,
	formatOutputLine,
	formatRunHead,
	formatValue,
	getStatusGlyph,
	glyphs,
	kindWidth,
	longestError,
	titleWidth,
	toOneLine,
} from './lineFormat.ts';

/**
 * Text for the output channel: a whole line, or streamed text that continues the last text with the same `name`. The name is its prefix.
 * `head`: the run's short ID, in its first line. `starts`, `ends`: the execution whose start the text reports, or makes redundant.
 */
export type ChannelText = { readonly starts?: string; readonly ends?: string } & (
	| { readonly line: string; readonly head?: string }
	| { readonly text: string; readonly lead: string; readonly name?: string; readonly value?: string }
);

/**
 * Formats one run as lines of the output channel: one line per event with the time and aligned columns, nested like iterations, loops and
 * parallel branches ({@link RunBars}). Only the first line has the run's ID. Always English, like other logs: lines are searched and parsed
 * by programs (lineFormat.ts).
 */
export class ChannelLines {
	readonly #record: () => RunRecord;
	readonly #names: { readonly connection: string; readonly file: string | undefined };
	readonly #timeline = new Timeline();
	readonly #bars = new RunBars();
	/** Titles of nodes with streaming text, by node ID. Cached, because a title can be long, and every chunk of text needs it. */
	readonly #titles = new Map<string, string>();
	/** The last error in a node's line. The run's last line doesn't repeat it. */
	#shownError: string | undefined;
	#headed = false;

	constructor(record: () => RunRecord, names: { connection: string; file: string | undefined }) {
		this.#record = record;
		this.#names = names;
	}

	/** Formats a journal entry. */
	formatEntry(entry: JournalEntry): ChannelText[] {
		if ('request' in entry) {
			// a streaming run starts with its first event, which has the run's ID
			return this.#record().mode === 'blocking' ? this.#formatRunHead(entry.at) : [];
		}
		if ('event' in entry) {
			return this.#formatEvent(entry.event, entry.at);
		}
		return 'note' in entry
			? [...this.#formatRunHead(entry.at), this.#formatLine(entry.at, '', `${glyphs.note} ${toOneLine(entry.note)}`)]
			: [];
	}

	/** Formats how the run ended, and its outputs. */
	formatRunEnd(at: number): ChannelText[] {
		const { status, elapsedSeconds, totalTokens, totalSteps, error, outputs } = this.#record();
		const facts = [
			elapsedSeconds === undefined ? undefined : formatSeconds(elapsedSeconds),
			totalTokens ? formatQuantity(totalTokens, 'token') : undefined,
			totalSteps === undefined || Number.isNaN(totalSteps) ? undefined : formatQuantity(totalSteps, 'step'),
			error && error !== this.#shownError ? toOneLine(error) : undefined,
		];
		const lines = this.#formatRunHead(at);
		const glyph = status === 'paused' ? glyphs.paused : glyphs.ended;
		lines.push(this.#formatLine(at, '', `${glyph} ${[status, ...facts.filter(fact => fact !== undefined)].join('  ')}`));
		for (const [name, value] of Object.entries(outputs ?? {})) {
			lines.push(this.#formatLine(at, '', formatOutputLine(name, value)));
		}
		return lines;
	}

	#formatEvent(event: WorkflowEvent, at: number): ChannelText[] {
		if (event.event === 'ping') {
			return [];
		}
		const row = this.#timeline.addEntry({ at, event });
		const lines = this.#formatRunHead(at);
		if (isEvent(event, 'workflow_started') || isEvent(event, 'workflow_finished') || isEvent(event, 'workflow_paused')) {
			return lines;
		}
		const form = this.#formatForm(at, event, row);
		if (form) {
			lines.push(form);
		} else if (row && isEvent(event, 'node_started')) {
			lines.push({ ...this.#formatNode(at, row, glyphs.started, [], undefined), starts: row.id });
		} else if (row && isEvent(event, 'node_finished')) {
			const facts = formatResultFacts(event.data);
			lines.push({ ...this.#formatNode(at, row, getStatusGlyph(event.data.status), facts, event.data), ends: row.id });
		} else if (row && isEvent(event, 'node_retry')) {
			lines.push(
				this.#formatNode(at, row, glyphs.retry, [`retry ${event.data.retry_index}`, ...formatResultFacts(event.data)], event.data),
			);
		} else if (row) {
			lines.push(this.#formatContainer(at, row, event.event, (event as ContainerEvent).data));
		} else if (isEvent(event, 'agent_log')) {
			lines.push(...this.#formatAgentLog(at, event.data));
		} else if (isEvent(event, 'reasoning_chunk')) {
			return [...lines, { text: event.data.reasoning, lead: `${formatLinePrefix(at)}│ ${glyphs.thought} ` }];
		} else if (isEvent(event, 'text_chunk')) {
			const source = this.#getTextSource(getTextSelector(event.data));
			return [...lines, { text: event.data.text, lead: `${formatLinePrefix(at)}│ ${glyphs.text} `, ...source }];
		} else if (isEvent(event, 'text_replace')) {
			lines.push(this.#formatLine(at, '│ ', `${glyphs.text} text replaced: ${formatValue(event.data.text)}`));
		} else if (isEvent(event, 'tts_message')) {
			lines.push(
				this.#formatLine(
					at,
					'│ ',
					`${glyphs.audio} ${'tts_message'.padEnd(kindWidth)}${formatQuantity(event.audio.length, 'character')} of audio`,
				),
			);
		} else if (event.event === 'tts_message_end') {
			lines.push(this.#formatLine(at, '│ ', formatAudioEnd()));
		} else if (event.event === 'variable_set' && 'data' in event && typeof event.data === 'object' && event.data !== null) {
			lines.push(this.#formatLine(at, '│ ', `${glyphs.byHand} ${'set manually'.padEnd(kindWidth)}${formatVariableSet(event.data)}`));
		} else if (isEvent(event, 'error')) {
			lines.push(
				this.#formatLine(
					at,
					'│ ',
					`${glyphs.failed} ${'error'.padEnd(kindWidth)}${event.status} ${event.code}: ${toOneLine(event.message)}`,
				),
			);
		} else {
			lines.push(
				this.#formatLine(at, '│ ', `${glyphs.other} ${event.event.padEnd(kindWidth)}${formatValue('data' in event ? event.data : event)}`),
			);
		}
		return lines;
	}

	/** Formats a form's request or its result, indented like its node if that is known. */
	#formatForm(at: number, event: WorkflowEvent, row: TimelineRow | undefined): ChannelText | undefined {
		const form = isEvent(event, 'human_input_required')
			? { glyph: glyphs.paused, ...event.data, what: formatFormRequest(event.data) }
			: isEvent(event, 'human_input_form_filled')
				? { glyph: glyphs.byHand, ...event.data, what: `answered: ${toOneLine(event.data.action_text || event.data.action_id || '')}` }
				: isEvent(event, 'human_input_form_timeout')
					? { glyph: glyphs.exception, ...event.data, what: 'timed out' }
					: undefined;
		if (!form) {
			return undefined;
		}
		const columns = formatNodeColumns({ kind: row?.kind ?? 'human-input', title: form.node_title || form.node_id });
		const line = this.#formatLine(at, row ? this.#bars.getNodeBars(row) : '│ ', `${form.glyph} ${columns}${form.what}`);
		return { ...line, ...(row && { ends: row.id }) };
	}

	#formatRunHead(at: number): ChannelText[] {
		if (this.#headed) {
			return [];
		}
		this.#headed = true;
		const { agent, runId, mode, user, draft, deploymentDraft } = this.#record();
		const { connection, file } = this.#names;
		const name = `${agent}${draft || deploymentDraft ? ' (draft)' : ''}`;
		const head = formatRunHead(name, runId && shortenId(runId), file, `${connection} · ${mode} · user ${user}`);
		return [{ ...this.#formatLine(at, '', head), head: toOneLine(shortenId(runId ?? this.#record().key)) }];
	}

	#formatNode(at: number, row: TimelineRow, glyph: string, facts: string[], result: NodeResultData | undefined): ChannelText {
		this.#shownError = result?.error && result.error.length <= longestError ? result.error : this.#shownError;
		const container = row.parent === undefined ? undefined : this.#timeline.getRow(row.parent);
		const round = container && row.round !== undefined ? `${formatIteration(row.round, container.rounds)} ` : '';
		const time = result ? formatSeconds(Number(result.elapsed_time ?? 0) || 0).padStart(8) : '';
		const bars = !result ? this.#bars.startNode(row) : glyph === glyphs.retry ? this.#bars.getNodeBars(row) : this.#bars.endNode(row);
		const text = `${round}${glyph} ${formatNodeColumns(row, bars.length + round.length - barWidth)}${time}`;
		return this.#formatLine(at, bars, [text.trimEnd(), ...facts].join('   '));
	}

	#formatContainer(at: number, row: TimelineRow, event: string, data: ContainerEventData): ChannelText {
		if (event.endsWith('_started')) {
			const bars = this.#bars.startNode(row);
			const column = formatNodeColumns(row, bars.length - barWidth);
			this.#bars.openContainer(row, bars);
			const format = (count: number) =>
				event.startsWith('loop_') ? `limit: ${formatQuantity(count, 'iteration')}` : formatQuantity(count, 'item');
			return this.#formatLine(at, bars, `${glyphs.container} ${column}${row.rounds === undefined ? '' : format(row.rounds)}`.trimEnd());
		}
		if (event.endsWith('_next')) {
			return this.#formatLine(
				at,
				this.#bars.getInnerBars(row),
				`${formatIteration(this.#timeline.getIteration(row.id) ?? 1, row.rounds)} →`,
			);
		}
		const result = data as ContainerEventData & Partial<NodeResultData>;
		const time = formatSeconds(Number(result.elapsed_time ?? 0) || 0).padStart(8);
		const bars = this.#bars.endNode(row);
		const column = formatNodeColumns(row, bars.length - barWidth);
		return this.#formatLine(
			at,
			bars,
			[`${getStatusGlyph(result.status ?? 'succeeded')} ${column}${time}`, ...formatResultFacts(result)].join('   '),
		);
	}

	/** Formats a line for the start of an agent's round, and a line for the end of each step in it. */
	#formatAgentLog(at: number, { parent_id, label, status, error, metadata }: AgentLogEvent['data']): ChannelText[] {
		const begins = status === 'start';
		if (begins === Boolean(parent_id)) {
			return [];
		}
		const glyph = begins ? glyphs.started : getStatusGlyph(status === 'success' ? 'succeeded' : 'failed');
		const seconds = Number(metadata?.['elapsed_time'] ?? 0) || 0;
		const column = formatNodeColumns({ kind: 'agent_log', title: begins ? label : `  ${label}` });
		const facts = [
			`${column}${begins ? '' : formatSeconds(seconds).padStart(8)}`.trimEnd(),
			...(error ? [cutText(toOneLine(error), longestError)] : []),
		];
		return [this.#formatLine(at, '│ ', `${glyph} ${facts.join('   ')}`)];
	}

	/** Returns the name of a streamed text (its node's title), the value that it's from, and its execution. Text between the values of a template has none. */
	#getTextSource(selector: readonly string[] | undefined): Pick<ChannelText, 'ends'> & { readonly name?: string; readonly value?: string } {
		const row = selector?.[0] === undefined ? undefined : this.#timeline.findLastExecution(selector[0]);
		if (!selector || !row?.title) {
			return {};
		}
		const name = this.#titles.get(row.nodeId ?? row.id) ?? cutText(toOneLine(row.title), titleWidth);
		this.#titles.set(row.nodeId ?? row.id, name);
		return { name, value: selector.join('.'), ends: row.id };
	}

	/** Creates a single line, because with line breaks in a text of a service, a part of it would look like a line about another run. */
	#formatLine(at: number, bars: string, text: string): { readonly line: string } {
		return { line: toOneLine(`${formatLinePrefix(at)}${bars}${text}`) };
	}
}

/** Formats the actions of a form and the time at which it expires. */
function formatFormRequest(data: unknown): string {
	const { actions = [], token, expiresAt } = readForm(data) ?? {};
	const ways = actions.map(({ title }) => toOneLine(title)).join(' | ');
	return [
		`waiting for input: ${ways}`,
		...(token === undefined ? ["(can't be answered here)"] : []),
		...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`]),
	].join('  ');
}

function formatResultFacts(data: Partial<NodeResultData>): string[] {
	const metadata: ExecutionMetadata = data.execution_metadata ?? {};
	const { paid, saved, currency } = getNodeCosts(data as NodeData);
	const known = ['succeeded', 'failed', 'exception', 'stopped', 'retry'].includes(data.status ?? 'succeeded');
	const handled =
		data.status === 'exception'
			? { 'fail-branch': '(fail-branch taken)', 'default-value': '(default value used)' }[String(metadata['error_strategy'])]
			: undefined;
	const standIn = getStandIn(data as NodeData);
	return [
		standIn === 'replayed' ? 'from a recording' : standIn === 'answered' ? 'answered by hand' : standIn,
		known ? undefined : data.status,
		metadata.total_tokens ? formatQuantity(metadata.total_tokens, 'token') : undefined,
		paid > 0 ? formatPrice(paid, currency) : undefined,
		saved > 0 ? `saved ${formatPrice(saved, currency)}` : undefined,
		data.error ? cutText(toOneLine(data.error), longestError) : undefined,
		handled,
	].filter(fact => fact !== undefined);
}

function formatIteration(round: number, length: number | undefined): string {
	return length === undefined ? String(round) : `${round}/${length}`;
}

function formatSeconds(seconds: number): string {
	return formatDuration(seconds * 1000, 'exact');
}
