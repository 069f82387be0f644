import { localizable } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckSubject } from '../checkSubject.ts';
import { describeSchema } from '../expectations.ts';
import type { CheckThreads } from '../thread/checkTasks.ts';
import { parseJsonValue } from '../valuePath.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Checks `schema`, a JSON schema. A string with JSON is parsed, unless the schema requires a string. */
export async function checkSchema(
	fields: CheckFields,
	subject: CheckSubject,
	threads: CheckThreads,
	signal: AbortSignal,
	show: Show,
): Promise<Verdict> {
	const schema = fields['schema'] as { readonly type?: unknown };
	const { value } = subject;
	const read = typeof value === 'string' && schema.type !== 'string' ? (parseJsonValue(value) ?? value) : value;
	const errors = read === undefined ? ['there is no value'] : await threads.run('schema', { schema, value: read }, signal);
	const found =
		errors.length > 0
			? localizable`Actual value: ${show(value)}. Problems: ${errors.join('; ')}.`
			: localizable`Actual value: ${show(value)}.`;
	return { holds: errors.length === 0, expectation: describeSchema(subject.name, fields['not'] === true), found, actual: value };
}
