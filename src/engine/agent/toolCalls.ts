import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObjectValue } from '../variables/objectValue.ts';
import { repairJson } from '../variables/repairJson.ts';
import type { AgentLogs, OpenLog } from './agentLogs.ts';
import type { AgentTool } from './agentOrder.ts';

/** Maximum characters of one result passed to the model, and of all results of one agent run. */
const longestResult = 100_000;
const longestInAll = 2_000_000;

/** Result of a call: the text for the model, and the parameters used. */
export interface ToolCallEnd {
	readonly observation: string;
	readonly parameters: Readonly<Record<string, unknown>>;
}

/** Makes an agent's tool calls. Errors become results for the model. */
export class ToolCalls {
	readonly #tools: ReadonlyMap<string, AgentTool>;
	readonly #signal: AbortSignal;
	readonly #logs: AgentLogs;
	#left = longestInAll;

	constructor(tools: readonly AgentTool[], signal: AbortSignal, logs: AgentLogs) {
		this.#tools = new Map(tools.map(tool => [tool.name, tool]));
		this.#signal = signal;
		this.#logs = logs;
	}

	/**
	 * Makes one call. Rejects only if the run is stopped.
	 * @param input parameters as JSON or already parsed @param formatLogData returns the final fields of the log entry
	 */
	async makeCall(
		name: string,
		input: unknown,
		round: OpenLog,
		formatLogData: (end: ToolCallEnd) => Readonly<Record<string, unknown>>,
	): Promise<ToolCallEnd> {
		const tool = this.#tools.get(name);
		const log = this.#logs.start(`CALL ${name}`, round, tool?.provider ?? '');
		let parameters: Readonly<Record<string, unknown>> = {};
		try {
			if (!tool) {
				throw new NoSuchTool(name);
			}
			// parsing the model's text may take long, and it can request many calls in a row
			await nextTurn();
			this.#signal.throwIfAborted();
			parameters = tool.completeParameters(parseParameters(input, tool));
			const { text, json } = await this.#rejectWhenStopped(tool.callTool(parameters, this.#signal));
			const end = { observation: this.#truncateResult(text || (json ? `tool response: ${JSON.stringify(json)}.` : '')), parameters };
			log.endEntry({ data: formatLogData(end) });
			return end;
		} catch (error) {
			this.#signal.throwIfAborted();
			const { message } = error as Error;
			const observation = this.#truncateResult(error instanceof NoSuchTool ? message : `tool invoke error: ${message}`);
			const end = { observation, parameters };
			log.endEntry({ data: formatLogData(end), error: message });
			return end;
		}
	}

	/** Logs a call that isn't made. */
	refuseCall(
		name: string,
		observation: string,
		round: OpenLog,
		formatLogData: (end: ToolCallEnd) => Readonly<Record<string, unknown>>,
	): ToolCallEnd {
		const log = this.#logs.start(`CALL ${name}`, round, this.#tools.get(name)?.provider ?? '');
		const end = { observation, parameters: {} };
		log.endEntry({ data: formatLogData(end) });
		return end;
	}

	/** Rejects when the run is stopped, even if the tool ignores the signal. */
	async #rejectWhenStopped<T>(result: Promise<T>): Promise<T> {
		const { promise, reject } = Promise.withResolvers<never>();
		const stop = () => reject(this.#signal.reason);
		this.#signal.addEventListener('abort', stop, { once: true });
		if (this.#signal.aborted) {
			stop();
		}
		try {
			return await Promise.race([result, promise]);
		} finally {
			this.#signal.removeEventListener('abort', stop);
			promise.catch(() => {});
			result.catch(() => {});
		}
	}

	#truncateResult(text: string): string {
		const room = Math.min(longestResult, this.#left);
		const kept = text.length > room ? text.slice(0, room).toWellFormed() : text;
		this.#left -= kept.length;
		return kept.length < text.length ? `${kept}… (cut: the first ${kept.length} of ${text.length} characters)` : kept;
	}
}

class NoSuchTool extends Error {
	override readonly name = 'NoSuchTool';

	constructor(name: string) {
		super(`there is not a tool named ${name}`);
	}
}

/**
 * Returns the parameters written by the model. A plain string is the value of the only parameter. @throws {Error} if they can't be parsed
 */
function parseParameters(input: unknown, tool: AgentTool): Readonly<Record<string, unknown>> {
	if (isObjectValue(input)) {
		return input;
	}
	const read = typeof input === 'string' ? parseLooseJson(input) : input;
	if (isObjectValue(read)) {
		return read;
	}
	const names = Object.keys((tool.parameters['properties'] as Record<string, unknown> | undefined) ?? {});
	if (read === undefined || read === null || read === '') {
		return {};
	}
	const [only] = names;
	if (only !== undefined && names.length === 1) {
		return { [only]: read };
	}
	throw new Error(`the arguments aren't a JSON object. Arguments of ${tool.name}: ${names.length > 0 ? names.join(', ') : 'none'}`);
}

/** Parses JSON. Plain text is returned as a string, and a truncated object is repaired. */
function parseLooseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		if (!/^\s*\{/.test(text)) {
			return text;
		}
	}
	try {
		return repairJson(text);
	} catch {
		return text;
	}
}
