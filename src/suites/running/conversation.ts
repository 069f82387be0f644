import { joinCurrencies } from '#base/records/amount.ts';
import type { Translate } from '#base/text/localization.ts';
import type { CheckedRun } from '../checks/checkSubject.ts';
import type { CaseRun, CheckResult } from '../results/caseResult.ts';
import type { CaseWork, RequestFields, TurnWork } from './caseWork.ts';
import { RunTrace } from './runTrace.ts';

/** A finished turn. */
export type RanTurn = Pick<CheckedRun, 'run' | 'outputs' | 'trace'>;

/** A turn to run. Its request is separate. */
type Turn = Pick<TurnWork, 'place' | 'checks' | 'forms'>;

/** How the turns of a conversation run and are checked. */
export interface TurnParts {
	/** Runs a turn, with its events in `trace`. */
	readonly runTurn: (turn: Turn, request: RequestFields, trace: RunTrace) => Promise<RanTurn>;
	readonly checkTurn: (turn: Turn, ran: RanTurn) => Promise<readonly CheckResult[]>;
	/** Collects the events of all turns. */
	readonly whole?: RunTrace | undefined;
	readonly t: Translate;
}

/** A conversation for the checks of its case, and the results of its turns' checks. */
export interface RanConversation extends RanTurn {
	readonly turnChecks: readonly CheckResult[];
}

/** A conversation with an agent as far as it has got. */
export class TestedConversation {
	readonly #parts: TurnParts;
	readonly #whole: RunTrace;
	readonly #turnChecks: CheckResult[] = [];
	readonly #ran: RanTurn[] = [];
	readonly #lines: string[] = [];
	#lastReply = '';

	constructor(parts: TurnParts) {
		this.#parts = parts;
		this.#whole = parts.whole ?? new RunTrace();
	}

	/** Runs and checks the next turn. Resolves to false if a check of it failed. Rejects if it couldn't run. */
	async runTurn(turn: Turn, request: RequestFields, message = String(request['query'])): Promise<boolean> {
		const { runTurn, checkTurn, t } = this.#parts;
		const conversation = this.#ran.at(-1)?.trace.conversation;
		const result = await runTurn(turn, { ...request, ...(conversation && { conversation_id: conversation }) }, new RunTrace(this.#whole));
		this.#ran.push(result);
		const { answer = result.outputs } = result.outputs;
		this.#lastReply = typeof answer === 'string' ? answer : JSON.stringify(answer);
		this.#lines.push(`user: ${markRoles(message)}`, `assistant: ${markRoles(this.#lastReply)}`);
		const checks = await checkTurn(turn, result);
		for (const { message: found, ...check } of checks) {
			const named = found === undefined ? {} : { message: t('Turn {0}: {1}', this.#ran.length, found) };
			this.#turnChecks.push({ ...check, name: t('Turn {0}: {1}', this.#ran.length, check.name), ...named });
		}
		return checks.every(({ passed, weight }) => passed || weight === 0);
	}

	/** Number of turns that ran. */
	get turns(): number {
		return this.#ran.length;
	}

	/** The messages, each after its role. */
	get transcript(): string {
		return this.#lines.join('\n');
	}

	/** The last message of the agent. */
	get lastReply(): string {
		return this.#lastReply;
	}

	/** The turns so far as one run. There must be one. */
	get ran(): RanConversation {
		return {
			run: sumRuns(this.#ran.map(({ run }) => run)),
			outputs: { ...this.#ran.at(-1)?.outputs, transcript: this.transcript },
			trace: this.#whole,
			turnChecks: this.#turnChecks,
		};
	}
}

/** Marks lines of a message that look like other messages: a reply could pretend that the user was satisfied, and judges would believe it. */
function markRoles(message: string): string {
	const [first = '', ...others] = message.split(/(?<=\r(?!\n)|[\n\u2028\u2029])/);
	return first + others.map(line => (/^\s*(?:user|assistant)\s{0,9}:/i.test(line) ? `> ${line}` : line)).join('');
}

/**
 * Runs the turns of a case in one conversation, and checks each before the next one. A turn that fails ends it, unless the case says
 * otherwise.
 *
 * @param first request of the first turn
 */
export async function runConversation(
	{ turns = [], onTurnFailure }: Pick<CaseWork, 'turns' | 'onTurnFailure'>,
	first: RequestFields,
	parts: TurnParts,
): Promise<RanConversation> {
	const conversation = new TestedConversation(parts);
	for (const [at, turn] of turns.entries()) {
		const passed = await conversation.runTurn(turn, at === 0 ? first : await turn.createRequest());
		if (!passed && onTurnFailure !== 'continue') {
			break;
		}
	}
	return conversation.ran;
}

/** Adds up the turns. The status and error are those of the first turn that didn't succeed, or else of the last one. */
function sumRuns(runs: readonly CaseRun[]): CaseRun {
	const end = runs.find(({ status }) => status !== 'succeeded') ?? runs.at(-1)!;
	const sum = (name: 'seconds' | 'tokens' | 'steps' | 'cost') => runs.reduce((total, run) => total + (run[name] ?? 0), 0);
	const hasCost = runs.some(({ cost }) => cost !== undefined);
	const currency = runs.reduce<string | undefined>((joined, run) => joinCurrencies(joined, run.currency), undefined);
	return {
		...end,
		seconds: sum('seconds'),
		tokens: sum('tokens'),
		steps: sum('steps'),
		...(hasCost && { cost: sum('cost') }),
		...(currency !== undefined && { currency }),
	};
}
