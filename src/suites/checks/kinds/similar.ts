import { localizable } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckSubject } from '../checkSubject.ts';
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
		subject: subject.name,
		expectation: localizable`to be similar to ${show(to)} with a score of at least ${atLeast}`,
		found: localizable`is ${show(subject.value)} with a score of ${score.toFixed(2)}`,
		expected: to,
		actual: subject.value,
	};
}
