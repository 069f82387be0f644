import { localizable } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckedRun } from '../checkSubject.ts';
import { describeTruth } from '../expectations.ts';
import type { CheckThreads } from '../thread/checkTasks.ts';
import { createExpressionProgram } from '../thread/expressionProgram.ts';
import type { Show, Verdict } from '../verdict.ts';

/**
 * Checks `expression`: runs JavaScript in the sandbox that returns true or `{pass, score, reason}`. Rejects with the error that it throws.
 */
export async function checkExpression(
	fields: CheckFields,
	checked: CheckedRun,
	threads: CheckThreads,
	signal: AbortSignal,
	show: Show,
): Promise<Verdict> {
	const text = String(fields['expression']);
	const { outputs, run, row, trace } = checked;
	const inputs = JSON.stringify({
		outputs,
		run: { ...run, calls: trace.toolCalls },
		row: row ?? {},
		nodes: Object.fromEntries(trace.listNodes()),
	});
	const given = await threads.run('expression', { source: createExpressionProgram(text), inputs }, signal);
	const { pass, score, reason } = (typeof given === 'object' && given !== null ? given : { pass: given }) as Record<string, unknown>;
	return {
		holds: pass === undefined && typeof score === 'number' ? score >= 0.5 : pass === true,
		...(typeof score === 'number' && Number.isFinite(score) ? { score: Math.min(1, Math.max(0, score)) } : {}),
		expectation: describeTruth(text.length > 80 ? `${text.slice(0, 80)}…` : text, fields['not'] === true),
		found: localizable`It returned ${show(given)}.`,
		...(typeof reason === 'string' ? { reason } : {}),
	};
}
