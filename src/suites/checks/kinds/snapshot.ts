import { isDeepStrictEqual } from 'node:util';
import { localizable } from '#base/text/localizableMessage.ts';
import { maskRunSecrets } from '#runs/request/secrets.ts';
import type { CaseRun } from '../../results/caseResult.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckSubject } from '../checkSubject.ts';
import type { CheckedCase, CheckTools } from '../evaluate.ts';
import { describeSnapshot, describeSnapshotValue } from '../expectations.ts';
import type { Show, Verdict } from '../verdict.ts';

/** Checks `snapshot`: compares the value, with secrets masked, to the accepted one. An update keeps that one if the run failed. */
export function checkSnapshot(
	fields: CheckFields,
	subject: CheckSubject,
	{ name: caseName, nth }: CheckedCase,
	run: CaseRun,
	{ snapshots, update, getSecrets }: CheckTools,
	show: Show,
): Verdict {
	const name = subject.snapshotName;
	const value = maskRunSecrets(subject.value, getSecrets());
	if (update && (run.status !== 'failed' || !snapshots.get(caseName, name, nth))) {
		snapshots.acceptValue(caseName, name, value, nth);
	}
	const accepted = snapshots.get(caseName, name, nth);
	const base = { actual: value, snapshot: name };
	if (!accepted) {
		return {
			...base,
			holds: false,
			isUndecided: true,
			expectation: describeSnapshot(subject.name, fields['not'] === true),
			found: localizable`Actual value: ${show(value)}. No snapshot has been accepted yet.`,
		};
	}
	return {
		...base,
		holds: isDeepStrictEqual(value, accepted.value),
		expectation: describeSnapshotValue(subject.name, show(accepted.value), fields['not'] === true),
		expected: accepted.value,
	};
}
