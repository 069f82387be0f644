import { localizable, translateMessage } from '#base/text/localizableMessage.ts';
import type { Translate } from '#base/text/localization.ts';
import type { CaseResult, CheckResult } from '../results/caseResult.ts';
import type { SnapshotBook } from '../results/snapshots.ts';
import type { CheckFields, SuiteAttack, SuiteCheck } from '../suite.ts';
import { type CheckedRun, type CheckSubject, nameSubject, readSubjects } from './checkSubject.ts';
import { describeExistence } from './expectations.ts';
import { checkAttack } from './kinds/attack.ts';
import { checkCloseTo } from './kinds/closeTo.ts';
import { checkComparison } from './kinds/comparison.ts';
import { checkExpression } from './kinds/expression.ts';
import { checkMetric, checkNodes } from './kinds/figures.ts';
import { askJudge, type JudgeTools } from './kinds/judge.ts';
import { checkMatches } from './kinds/matches.ts';
import { checkRetrieval } from './kinds/retrieval.ts';
import { checkSchema } from './kinds/schema.ts';
import { checkSimilar } from './kinds/similar.ts';
import { checkSnapshot } from './kinds/snapshot.ts';
import { checkTools, checkTrajectory } from './kinds/toolCalls.ts';
import type { CheckThreads } from './thread/checkTasks.ts';
import { createValueFormatter, type Show, type Verdict } from './verdict.ts';

/** Services for checks. */
export interface CheckTools extends JudgeTools {
	readonly threads: CheckThreads;
	readonly snapshots: SnapshotBook;
	/** True to accept the values of `snapshot` checks. */
	readonly update: boolean;
	/** Translates the results. */
	readonly t: Translate;
}

export type CheckedCase = Pick<CaseResult, 'name' | 'nth'>;

/**
 * Evaluates a check of a finished run. A check that can't be evaluated fails, for example if its regular expression takes too long or its
 * expression throws. Rejects with the client's error if a judge can't be reached, and with the signal's reason.
 */
export async function evaluateCheck(check: SuiteCheck, of: CheckedCase, checked: CheckedRun, tools: CheckTools): Promise<CheckResult> {
	const show = createValueFormatter(tools.getSecrets);
	return createCheckResult(check, runCheck(check, of, checked, tools, show), tools, show);
}

/**
 * Lets the judge of a check grade an output that was kept in earlier results. Rejects like {@link evaluateCheck}.
 *
 * @param output `actual` of the earlier result
 */
export async function judgeKeptOutput(check: SuiteCheck, output: unknown, tools: CheckTools): Promise<CheckResult> {
	const subject = { ...nameSubject(check.fields), value: output };
	return createCheckResult(check, askJudge(check.fields, subject, tools), tools, createValueFormatter(tools.getSecrets));
}

async function createCheckResult(check: SuiteCheck, decided: Promise<Verdict>, tools: CheckTools, show: Show): Promise<CheckResult> {
	const { fields, kind, place } = check;
	const verdict = await decided.catch((error: unknown) => {
		const { name, message } = error as Error;
		if (name === 'ServiceError' || tools.signal.aborted) {
			throw error;
		}
		return { undecided: message };
	});
	const weight = (fields['weight'] as number | undefined) ?? 1;
	if ('undecided' in verdict) {
		const { undecided } = verdict;
		const message = tools.t("Couldn't evaluate '{0}': {1}", kind, undecided);
		return { kind, ...getCheckName(fields, undefined, kind, tools.t), passed: false, score: 0, weight, message, place, undecided: true };
	}
	const isInverted = fields['not'] === true;
	const passed = verdict.isUndecided !== true && verdict.holds !== isInverted;
	const score = verdict.score === undefined ? Number(passed) : isInverted ? 1 - verdict.score : verdict.score;
	const message = passed ? verdict.reason : formatFailure(verdict, show, tools.t);
	return {
		kind,
		...getCheckName(fields, verdict, kind, tools.t),
		passed,
		score,
		weight,
		...(message === undefined ? {} : { message }),
		...(verdict.expected === undefined || passed ? {} : { expected: verdict.expected }),
		...(verdict.actual === undefined || (passed && !verdict.snapshot && !verdict.judge) ? {} : { actual: verdict.actual }),
		place,
		...(verdict.isUndecided && { undecided: true as const }),
		...(verdict.judgeTokens === undefined ? {} : { judgeTokens: verdict.judgeTokens }),
		...(verdict.judge && { judge: verdict.judge }),
		...(verdict.snapshot === undefined ? {} : { snapshot: verdict.snapshot }),
	};
}

async function runCheck(check: SuiteCheck, of: CheckedCase, checked: CheckedRun, tools: CheckTools, show: Show): Promise<Verdict> {
	const { fields, kind } = check;
	const { threads, signal } = tools;
	switch (kind) {
		case 'status':
		case 'error':
		case 'seconds':
		case 'tokens':
		case 'cost':
		case 'steps':
			return checkMetric(kind, fields, checked, show);
		case 'nodes':
			return checkNodes(fields, checked);
		case 'expression':
			return checkExpression(fields, checked, threads, signal, show);
		case 'tools':
			return checkTools(fields, checked);
		case 'trajectory':
			return checkTrajectory(fields, checked, threads, signal, show);
		case 'attack':
			return checkAttack(fields['attack'] as SuiteAttack, checked);
	}
	const [first, ...others] = readSubjects(fields, checked);
	let verdict = await checkSubject(check, first, of, checked, tools, show);
	// one of several calls is enough
	for (const subject of verdict.holds ? [] : others) {
		const next = await checkSubject(check, subject, of, checked, tools, show);
		if (next.holds) {
			return next;
		}
		verdict = verdict.isUndecided ? verdict : next;
	}
	return verdict;
}

/** Checks a value that a check looks at. */
async function checkSubject(
	{ fields, kind }: SuiteCheck,
	subject: CheckSubject,
	of: CheckedCase,
	checked: CheckedRun,
	tools: CheckTools,
	show: Show,
): Promise<Verdict> {
	const { threads, signal } = tools;
	if (subject.missing !== undefined) {
		return { holds: false, expectation: describeExistence(subject.name, fields['not'] === true), found: subject.missing };
	}
	switch (kind) {
		case 'matches':
			return checkMatches(fields, subject, threads, signal);
		case 'schema':
			return checkSchema(fields, subject, threads, signal, show);
		case 'closeTo':
			return checkCloseTo(fields, subject, show);
		case 'similar':
			return checkSimilar(fields, subject, threads, signal, show);
		case 'rag':
			return checkRetrieval(fields, subject, checked);
		case 'snapshot':
			return checkSnapshot(fields, subject, of, checked.run, tools, show);
		case 'judge':
			return askJudge(fields, subject, tools);
		default:
			return checkComparison(kind as Parameters<typeof checkComparison>[0], fields, subject, checked.fromText, show);
	}
}

function formatFailure(verdict: Verdict, show: Show, t: Translate): string {
	const { expectation, found = localizable`Actual value: ${show(verdict.actual)}.`, reason } = verdict;
	const explained = reason ? localizable`${found} Reason: ${reason}` : found;
	return translateMessage(localizable`${expectation}. ${explained}`, t);
}

function getCheckName(fields: CheckFields, verdict: Verdict | undefined, kind: string, t: Translate): Pick<CheckResult, 'name' | 'named'> {
	const given = fields['name'] as string | undefined;
	if (given !== undefined) {
		return { name: given, named: true };
	}
	if (!verdict) {
		return { name: kind };
	}
	return { name: translateMessage(verdict.expectation, t) };
}
