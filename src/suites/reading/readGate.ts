import { getNodeValue, type Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import { findProperty } from '#base/text/textFaults.ts';
import type { SuiteGate } from '../suite.ts';

/**
 * Reads the gate of a suite and reports wrong values: shares out of range, which would always or never be reached, and unknown test cases.
 *
 * @param root the suite
 * @param names names of the suite's test cases, without those of its dataset
 */
export function readGate(
	root: Node,
	names: ReadonlyMap<string, unknown>,
	reportFault: (at: Node, code: 'wrong-value', message: string) => void,
	t: Translate,
): SuiteGate | undefined {
	const gate = findProperty(root, 'gate');
	const required = findProperty(gate, 'required')?.children ?? [];
	for (const each of findProperty(root, 'dataset') ? [] : required) {
		if (!names.has(each.value)) {
			reportFault(each, 'wrong-value', t("The suite has no test case '{0}'.", each.value));
		}
	}
	const passRate = findProperty(gate, 'pass_rate');
	if (passRate && !(passRate.value >= 0 && passRate.value <= 1)) {
		reportFault(passRate, 'wrong-value', t("'pass_rate' must be a number from 0 to 1."));
	}
	return gate && (getNodeValue(gate) as SuiteGate);
}
