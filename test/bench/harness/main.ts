// npm run bench [-- TABLE[/MEASURE]…] [--json]: measures the project's budgets, each compared with a floor or peers in the same run. Prints
// the median of the rounds, the lowest and the highest, and "within noise" if these are on both sides of the limit. With --json, stdout
// contains only one array of entries (table.ts), and everything else is printed to stderr.
import { readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { computeMedian } from './contest.ts';
import { createRoundRunner } from './rounds.ts';
import type { BenchTable, Entry, Measure, Series } from './table.ts';
import { getLimitValue, judgeLine } from './verdict.ts';

const folder = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { json: { type: 'boolean', default: false } }, allowPositionals: true });
const printLine = (line: string) => (values.json ? process.stderr : process.stdout).write(`${line}\n`);

const entries: Entry[] = [];
const tables = readdirSync(folder)
	.filter(file => file.endsWith('.ts'))
	.map(file => file.slice(0, -3))
	.filter(name => positionals.length === 0 || positionals.some(wanted => wanted.split('/')[0] === name));
if (tables.length === 0) {
	printLine(`No such table in ${folder}`);
	process.exit(2);
}
for (const name of tables) {
	const { table } = (await import(pathToFileURL(path.join(folder, `${name}.ts`)).href)) as { table: BenchTable };
	printLine(`\n${table.name} (Node ${process.version})`);
	try {
		for (const measure of table.measures.filter(({ name }) => isSelectedMeasure(table, name))) {
			entries.push(await runMeasure(table, measure));
		}
	} finally {
		await table.close?.();
	}
}
if (values.json) {
	process.stdout.write(`${JSON.stringify(entries, null, '\t')}\n`);
}
printLine(
	`load average ${loadavg()
		.map(load => load.toFixed(1))
		.join(', ')}`,
);
process.exitCode = entries.every(({ ok }) => ok) ? 0 : 1;

function isSelectedMeasure(table: BenchTable, name: string): boolean {
	return positionals.length === 0 || positionals.some(wanted => wanted === table.name || wanted === `${table.name}/${name}`);
}

/** Runs a measure. If it throws, it counts as failed, and the others still run. */
async function runMeasure(table: BenchTable, line: Measure): Promise<Entry> {
	const found = await line.run(createRoundRunner(line.limits)).then(
		series => ({ ...judgeLine(line, series), notes: formatNotes(line, series) }),
		(error: unknown) => {
			const [limit] = Object.values(line.limits).map(getLimitValue);
			return {
				value: Number.NaN,
				limit: limit ?? 1,
				unit: line.unit,
				ok: false,
				requirements: [],
				notes: [`failed: ${(error as Error).stack}`],
			};
		},
	);
	const value = roundNumber(found.value);
	printLine(`  ${found.ok ? 'ok  ' : 'MISS'} ${line.name}: ${line.measure}: ${value} ${found.unit} (limit ${found.limit})`);
	for (const { name, limit, value, lowest, highest, withinNoise } of found.requirements) {
		const bound = 'most' in limit ? `at most ${limit.most}` : `at least ${limit.least}`;
		printLine(
			`         ${name}: ${roundNumber(value)} ${limit.unit ?? line.unit} (${roundNumber(lowest)} to ${roundNumber(highest)}; ${bound})${withinNoise ? ', within noise' : ''}`,
		);
	}
	for (const note of found.notes) {
		printLine(`         ${note}`);
	}
	return { table: table.name, measure: line.measure, value, unit: found.unit, limit: found.limit, ok: found.ok };
}

/** Formats the medians of the costs, and the notes of the measure. */
function formatNotes({ unit, costUnit = unit }: Measure, { rounds, notes = [] }: Series): readonly string[] {
	const names = Object.keys(rounds[0]?.costs ?? {});
	const costs = names.map(
		name => `${name} ${roundNumber(computeMedian(rounds.map(({ costs }) => costs?.[name] ?? Number.NaN)))} ${costUnit}`,
	);
	return [`${rounds.length} rounds${costs.length > 0 ? `: ${costs.join(', ')}` : ''}`, ...notes];
}

function roundNumber(value: number): number {
	return Number(value.toPrecision(4));
}
