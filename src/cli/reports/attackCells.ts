import type { AttackRate, AttackSummary } from '#suites/attacks/attackSummary.ts';
import { toPlainLine } from '../output.ts';

/** Maximum number of named nodes and branches. */
const mostNames = 20;

/** Returns the rows of a table of attacks by pack and OWASP ID, with the titles first. */
export function createAttackRows({ packs, owasp }: AttackSummary): readonly (readonly string[])[] {
	const rates = [...packs, ...owasp];
	const hasNotRun = rates.some(({ notRun }) => notRun > 0);
	const createRow = ({ name, attacks, succeeded, notRun, rate, interval: { low, high } }: AttackRate) => [
		name,
		String(attacks),
		...(hasNotRun ? [String(notRun)] : []),
		String(succeeded),
		attacks === 0 ? '' : `${formatShare(rate)} % (${formatShare(low)} to ${formatShare(high)})`,
	];
	return [['attacks', 'number', ...(hasNotRun ? ['not run'] : []), 'succeeded', 'rate (95 %)'], ...rates.map(createRow)];
}

/** Returns sentences about what no attack reached. */
export function describeUnreached({ unreached }: AttackSummary): readonly string[] {
	return unreached.flatMap(({ agent, nodes, branches }) => [
		...(nodes.length > 0 ? [`${agent}: no attack reached the nodes ${formatNames(nodes)}`] : []),
		...(branches.length > 0 ? [`${agent}: no attack reached the branches ${formatNames(branches)}`] : []),
	]);
}

/** Formats the attacks as an aligned table for a terminal. */
export function formatAttacks(summary: AttackSummary): string {
	return [...alignRows(createAttackRows(summary)), ...describeUnreached(summary).map(toPlainLine)].map(line => `  ${line}\n`).join('');
}

/** Aligns the cells of a table's rows. */
export function alignRows(cells: readonly (readonly string[])[]): readonly string[] {
	const rows = cells.map(row => row.map(toPlainLine));
	const widths = rows[0]!.map((_, at) => Math.max(...rows.map(row => row[at]!.length)));
	return rows.map(row =>
		row
			.map((cell, at) => cell.padEnd(widths[at]!))
			.join('  ')
			.trimEnd(),
	);
}

const formatShare = (share: number) => (share * 100).toFixed(1);

function formatNames(names: readonly string[]): string {
	const left = names.length - mostNames;
	return `${names.slice(0, mostNames).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
