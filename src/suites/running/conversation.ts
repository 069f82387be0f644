import type { Translate } from '#base/text/localization.ts';
import type { CheckedRun } from '../checks/checkSubject.ts';
import type { CaseRun, CheckResult } from '../results/caseResult.ts';
import type { CaseWork, RequestFields, TurnWork } from './caseWork.ts';
import { RunTrace } from './runTrace.ts';

/** A finished turn. */
type RanTurn = Pick<CheckedRun, 'run' | 'outputs' | 'trace'>;

/** How the turns of a conversation run and are checked. */
interface ConversationParts {
	/** Runs a turn, with its events in `trace`. */
	readonly runTurn: (turn: TurnWork, request: RequestFields, trace: RunTrace) => Promise<RanTurn>;
	readonly checkTurn: (turn: TurnWork, ran: RanTurn) => Promise<readonly CheckResult[]>;
	readonly t: Translate;
}

/** A conversation for the checks of its case, and the results of its turns' checks. */
export interface RanConversation extends RanTurn {
	readonly turnChecks: readonly CheckResult[];
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
	{ runTurn, checkTurn, t }: ConversationParts,
): Promise<RanConversation> {
	const whole = new RunTrace();
	const turnChecks: CheckResult[] = [];
	const ran: RanTurn[] = [];
	const lines: string[] = [];
	for (const [at, turn] of turns.entries()) {
		const conversation = ran.at(-1)?.trace.conversation;
		const request = at === 0 ? first : await turn.createRequest();
		const result = await runTurn(turn, { ...request, ...(conversation && { conversation_id: conversation }) }, new RunTrace(whole));
		ran.push(result);
		lines.push(`user: ${String(request['query'])}`, `assistant: ${String(result.outputs['answer'] ?? '')}`);
		const checks = await checkTurn(turn, result);
		for (const { message, ...check } of checks) {
			const named = message === undefined ? {} : { message: t('Turn {0}: {1}', at + 1, message) };
			turnChecks.push({ ...check, name: t('Turn {0}: {1}', at + 1, check.name), ...named });
		}
		if (onTurnFailure !== 'continue' && checks.some(({ passed, weight }) => !passed && weight > 0)) {
			break;
		}
	}
	const outputs = { ...ran.at(-1)?.outputs, transcript: lines.join('\n') };
	return { run: sumRuns(ran.map(({ run }) => run)), outputs, trace: whole, turnChecks };
}

/** Adds up the turns. The status and error are those of the first turn that didn't succeed, or else of the last one. */
function sumRuns(runs: readonly CaseRun[]): CaseRun {
	const end = runs.find(({ status }) => status !== 'succeeded') ?? runs.at(-1)!;
	const sum = (name: 'seconds' | 'tokens' | 'steps' | 'cost') => runs.reduce((total, run) => total + (run[name] ?? 0), 0);
	const hasCost = runs.some(({ cost }) => cost !== undefined);
	return { ...end, seconds: sum('seconds'), tokens: sum('tokens'), steps: sum('steps'), ...(hasCost && { cost: sum('cost') }) };
}
