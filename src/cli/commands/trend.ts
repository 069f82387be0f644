import path from 'node:path';
import { formatQuantity } from '#base/text/quantity.ts';
import { getHistoryFile, type RecentHistory, readRecentHistory } from '#suites/gate/history.ts';
import type { SuiteHistoryEntry } from '#suites/gate/historyEntry.ts';
import { createTrendLines, findTrendBreak, groupByVariant, summarizeTrendLine, type TrendLine } from '#suites/gate/trend.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodes } from '../cliFault.ts';
import { getFileRoot } from '../fileRoot.ts';
import { findFiles } from '../foundFiles.ts';
import { toJsonLine, toPlainLine, writeOutput } from '../output.ts';
import { formatCost, formatSeconds } from '../reports/amounts.ts';
import { alignRows } from '../reports/attackCells.ts';

const defaultCount = 30;
const bars = [...'▁▂▃▄▅▆▇█'];

/** `agent-workbench trend`: shows a line for each metric of the history files of suites. Rejects with a `CliFault`. */
export async function runTrend(given: GivenArguments): Promise<ExitCode> {
	const most = given.getCount('last') ?? defaultCount;
	for (const operand of given.operands) {
		const files = findFiles([operand], '**/*.suite.json');
		if (files.length === 0) {
			throw new CliFault(`trend ${operand}: no suites found. Expected *.suite.json files, a glob, or a folder with such files.`);
		}
		for (const file of files) {
			const history = getHistoryFile({ file, root: getFileRoot(file) });
			const recent = await readRecentHistory(history, most).catch((error: unknown) => {
				throw new CliFault(`${path.relative('', history)}: ${(error as Error).message}`);
			});
			await writeOutput(given.has('json') ? formatJson(file, recent.entries) : formatText(file, recent));
		}
	}
	return exitCodes.passed;
}

function formatJson(file: string, entries: readonly SuiteHistoryEntry[]): string {
	return entries.map(({ outcomes: _, ...entry }) => toJsonLine({ file, ...entry })).join('');
}

function formatText(file: string, { entries, damaged }: RecentHistory): string {
	const name = toPlainLine(path.relative('', file));
	const skipped = damaged > 0 ? `${name}: ${formatQuantity(damaged, 'line')} of the history can't be read.\n` : '';
	if (entries.length === 0) {
		return `${skipped}${name}: no history yet. Add results with: agent-workbench test --history\n`;
	}
	return skipped + [...groupByVariant(entries)].map(([variant, group]) => formatTrend(name, variant, group)).join('');
}

function formatTrend(name: string, variant: string | undefined, entries: readonly SuiteHistoryEntry[]): string {
	const [first, last] = [entries[0]!, entries.at(-1)!];
	const rows = createTrendLines(entries).map(createRow);
	const notes = entries.flatMap((entry, at) => {
		const changed = findTrendBreak(entries, at);
		return changed ? [`${formatTime(entry)}: the ${changed} changed, so earlier results aren't comparable`] : [];
	});
	const title = variant === undefined ? name : `${name}, ${toPlainLine(variant)}`;
	return [
		`${title}: ${formatQuantity(entries.length, 'result')} from ${formatTime(first)} to ${formatTime(last)}`,
		...alignRows([['metric', 'first', 'lowest', 'highest', 'latest', 'change', 'trend'], ...rows]).map(row => `  ${row}`),
		...notes.map(note => `  ${toPlainLine(note)}`),
		'',
	].join('\n');
}

function createRow(line: TrendLine): readonly string[] {
	const { name, isCheck, unit, values, currency } = line;
	const { first, latest, lowest, highest, bottom, top } = summarizeTrendLine(line);
	const format = (value: number) => formatValue(value, unit, currency);
	const change = latest - first;
	const sign = change > 0 ? '+' : change < 0 ? '-' : '';
	const drawn = values.map(value =>
		value === undefined ? ' ' : bars[Math.min(7, Math.floor(((value - bottom) / (top - bottom || 1)) * 8))]!,
	);
	const difference = unit === 'share' ? `${Math.abs(change * 100).toFixed(1)} points` : format(Math.abs(change));
	return [isCheck ? `check: ${name}` : name, ...[first, lowest, highest, latest].map(format), `${sign}${difference}`, drawn.join('')];
}

function formatValue(value: number, unit: TrendLine['unit'], currency: string | undefined): string {
	switch (unit) {
		case 'share':
			return `${(value * 100).toFixed(1)} %`;
		case 'seconds':
			return formatSeconds(value);
		case 'tokens':
			return value.toFixed(0);
		case 'cost':
			return formatCost(value, currency);
	}
}

/** Formats the time of an entry with the beginning of its commit. */
function formatTime({ at, commit }: SuiteHistoryEntry): string {
	return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}${commit === undefined ? '' : ` (${toPlainLine(commit.slice(0, 8))})`}`;
}
