import { isDeepStrictEqual } from 'node:util';
import { formatMessage, localizable } from '#base/text/localizableMessage.ts';
import { maskRunSecrets } from '#runs/request/secrets.ts';
import type { CheckSubject } from '../checkSubject.ts';
import type { CheckedCase, CheckTools } from '../evaluate.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Checks `snapshot`: compares the value, with secrets masked, to the accepted one. */
export function checkSnapshot(
	subject: CheckSubject,
	{ name: caseName, nth }: CheckedCase,
	{ snapshots, update, getSecrets }: CheckTools,
	show: Show,
): Verdict {
	const name = typeof subject.name === 'object' ? formatMessage(subject.name) : String(subject.name);
	const value = maskRunSecrets(subject.value, getSecrets());
	if (update) {
		snapshots.acceptValue(caseName, name, value, nth);
	}
	const accepted = snapshots.get(caseName, name, nth);
	const base = { subject: subject.name, actual: value, snapshot: name };
	if (!accepted) {
		return {
			...base,
			holds: false,
			expectation: localizable`to equal the snapshot`,
			found: localizable`is ${show(value)} and no snapshot has been accepted yet`,
		};
	}
	return {
		...base,
		holds: isDeepStrictEqual(value, accepted.value),
		expectation: localizable`to equal the snapshot ${show(accepted.value)}`,
		expected: accepted.value,
	};
}
