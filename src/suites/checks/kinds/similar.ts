import { localizable } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckSubject } from '../checkSubject.ts';
import { describeSimilarity } from '../expectations.ts';
import type { CheckThreads } from '../thread/checkTasks.ts';
import type { Show, Verdict } from '../verdict.ts';
import { toCheckText } from './comparison.ts';

const defaultSimilarity = 0.7;

/** Checks `similar` with the ROUGE-L score. */
export async function checkSimilar(
	fields: CheckFields,
	subject: CheckSubject,
	threads: CheckThreads,
	signal: AbortSignal,
	show: Show,
): Promise<Verdict> {
	const { to, atLeast = defaultSimilarity } = fields['similar'] as { readonly to: string; readonly atLeast?: number };
	const score = await threads.run('similar', { to: String(to), text: toCheckText(subject.value) }, signal);
	return {
		holds: score >= atLeast,
		score,
		expectation: describeSimilarity(subject.name, show(to), atLeast, fields['not'] === true),
		found: localizable`Actual value: ${show(subject.value)}. Score: ${score.toFixed(2)}.`,
		expected: to,
		actual: subject.value,
	};
}
