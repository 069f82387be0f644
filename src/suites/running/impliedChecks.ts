import type { SuiteCheck } from '../suite.ts';
import type { CaseWork } from './caseWork.ts';

type Checked = Pick<CaseWork, 'checks' | 'place'> & Partial<Pick<CaseWork, 'attack' | 'turns' | 'simulation'>>;

/** Adds the checks that a case has unless it checks the same itself: for success, and that a simulated user reached the goal. */
export function addImpliedChecks(work: Checked): readonly SuiteCheck[] {
	return addEndCheck(work, addSuccessCheck(work));
}

/**
 * Adds a check for success, unless the case checks the status or error, or is attacked: a run that fails withstands the attack. Turns are
 * checked one by one.
 */
function addSuccessCheck({ checks, place, attack, turns, simulation }: Checked): readonly SuiteCheck[] {
	if (attack || turns || simulation) {
		return checks;
	}
	const checksEnd = checks.some(({ kind, fields }) => (kind === 'status' || kind === 'error') && !('node' in fields));
	return checksEnd ? checks : [{ kind: 'status', fields: { status: 'succeeded' }, place }, ...checks];
}

function addEndCheck({ place, simulation }: Checked, checks: readonly SuiteCheck[]): readonly SuiteCheck[] {
	const isChecked = checks.some(({ fields }) => fields['output'] === 'end' && !('node' in fields));
	const fields = { output: 'end', oneOf: ['goal', 'stop-check'] };
	return simulation?.goal === undefined || isChecked ? checks : [{ kind: 'oneOf', fields, place }, ...checks];
}
