import type { CheckFields } from '../suite.ts';
import type { CheckedRun, CheckSubject } from './checkSubject.ts';
import { plainOf, textOf } from './textChecks.ts';
import type { CheckThreads } from './thread/checkTasks.ts';
import { expressionProgram } from './thread/expressionProgram.ts';
import { parsed } from './valuePath.ts';
import type { Show, Verdict } from './verdict.ts';

const defaultSimilarity = 0.7;
const defaultDistance = 0.01;

/** `matches`: a regular expression. Rejects where it takes too long. */
export async function matched(fields: CheckFields, subject: CheckSubject, threads: CheckThreads, signal: AbortSignal): Promise<Verdict> {
	const pattern = String(fields['matches']);
	const text = textOf(fields['trim'] === true ? plainOf({ trim: true })(subject.value) : subject.value);
	const holds = await threads.run('matches', { pattern, flags: fields['ignoreCase'] === true ? 'i' : '', text }, signal);
	return { holds, subject: subject.name, expectation: `to match /${pattern}/`, actual: subject.value };
}

/** `schema`: a JSON schema. A text that is JSON counts as its value, unless the schema asks for a text. */
export async function fitted(
	fields: CheckFields,
	subject: CheckSubject,
	threads: CheckThreads,
	signal: AbortSignal,
	show: Show,
): Promise<Verdict> {
	const schema = fields['schema'] as { readonly type?: unknown };
	const { value } = subject;
	const read = typeof value === 'string' && schema.type !== 'string' ? (parsed(value) ?? value) : value;
	const errors = read === undefined ? ['there is no value'] : await threads.run('schema', { schema, value: read }, signal);
	const found = errors.length > 0 ? `is ${show(value)} (${errors.join('; ')})` : `is ${show(value)}`;
	return { holds: errors.length === 0, subject: subject.name, expectation: 'to fit the schema', found, actual: value };
}

/** `similar`: ROUGE-L. */
export async function alike(
	fields: CheckFields,
	subject: CheckSubject,
	threads: CheckThreads,
	signal: AbortSignal,
	show: Show,
): Promise<Verdict> {
	const { to, atLeast = defaultSimilarity } = fields['similar'] as { readonly to: string; readonly atLeast?: number };
	const score = await threads.run('similar', { to: String(to), text: textOf(subject.value) }, signal);
	return {
		holds: score >= atLeast,
		score,
		subject: subject.name,
		expectation: `to be like ${show(to)} by at least ${atLeast}`,
		found: `is ${show(subject.value)}, like it by ${score.toFixed(2)}`,
		expected: to,
		actual: subject.value,
	};
}

/** `closeTo`: a number, or a text that is one. */
export function near(fields: CheckFields, subject: CheckSubject, show: Show): Verdict {
	const { value, within = defaultDistance } = fields['closeTo'] as { readonly value: unknown; readonly within?: number };
	const [expected, actual] = [numberOf(value), numberOf(subject.value)];
	return {
		// 0.1 + 0.2 is within 0 of 0.3 for those who ask
		holds: Math.abs(actual - expected) <= within + Number.EPSILON * Math.max(1, Math.abs(expected)),
		subject: subject.name,
		expectation: `to be within ${within} of ${show(value)}`,
		expected: value,
		actual: subject.value,
	};
}

/** `expression`: JavaScript in the sandbox. It gives whether it passes, or `{pass, score, reason}`. Rejects with what it throws. */
export async function expressed(
	fields: CheckFields,
	checked: CheckedRun,
	threads: CheckThreads,
	signal: AbortSignal,
	show: Show,
): Promise<Verdict> {
	const text = String(fields['expression']);
	const { outputs, run, row, trace } = checked;
	const inputs = JSON.stringify({ outputs, run, row: row ?? {}, nodes: Object.fromEntries(trace.nodes()) });
	const given = await threads.run('expression', { source: expressionProgram(text), inputs }, signal);
	const { pass, score, reason } = (typeof given === 'object' && given !== null ? given : { pass: given }) as Record<string, unknown>;
	return {
		holds: pass === undefined && typeof score === 'number' ? score >= 0.5 : pass === true,
		...(typeof score === 'number' && Number.isFinite(score) ? { score: Math.min(1, Math.max(0, score)) } : {}),
		subject: `the expression ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`,
		expectation: 'to give true',
		found: `gives ${show(given)}`,
		...(typeof reason === 'string' ? { reason } : {}),
	};
}

function numberOf(value: unknown): number {
	return typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
