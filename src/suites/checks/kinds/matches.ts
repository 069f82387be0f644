import type { CheckFields } from '../../suite.ts';
import type { CheckSubject } from '../checkSubject.ts';
import { describePattern } from '../expectations.ts';
import type { CheckThreads } from '../thread/checkTasks.ts';
import type { Verdict } from '../verdict.ts';
import { createNormalizer, toCheckText } from './comparison.ts';

/** Checks `matches`, a regular expression. Rejects if matching takes too long. */
export async function checkMatches(
	fields: CheckFields,
	subject: CheckSubject,
	threads: CheckThreads,
	signal: AbortSignal,
): Promise<Verdict> {
	const pattern = String(fields['matches']);
	const text = toCheckText(fields['trim'] === true ? createNormalizer({ trim: true })(subject.value) : subject.value);
	const holds = await threads.run('matches', { pattern, flags: fields['ignoreCase'] === true ? 'i' : '', text }, signal);
	return { holds, expectation: describePattern(subject.name, pattern, fields['not'] === true), actual: subject.value };
}
