// npm run bench [-- TABLE[/MEASURE]…] [--json]: measures what the project's budgets demand, each against peers in the same run.
// With --json stdout holds one array of entries (table.ts) and nothing else; everything for people goes to stderr then.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchTable, Entry, Measure } from './table.ts';

const folder = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { json: { type: 'boolean', default: false } }, allowPositionals: true });
const say = (line: string) => (values.json ? process.stderr : process.stdout).write(`${line}\n`);

const entries: Entry[] = [];
const tables = readdirSync(folder)
	.filter(file => file.endsWith('.ts'))
	.map(file => file.slice(0, -3))
	.filter(name => positionals.length === 0 || positionals.some(wanted => wanted.split('/')[0] === name));
if (tables.length === 0) {
	say(`No table of that name in ${folder}`);
	process.exit(2);
}
for (const name of tables) {
	const { table } = (await import(pathToFileURL(path.join(folder, `${name}.ts`)).href)) as { table: BenchTable };
	say(`\n${table.name} (Node ${process.version})`);
	try {
		for (const measure of table.measures.filter(({ name }) => isWanted(table, name))) {
			entries.push(await run(table, measure));
		}
	} finally {
		await table.close?.();
	}
}
if (values.json) {
	process.stdout.write(`${JSON.stringify(entries, null, '\t')}\n`);
}
process.exitCode = entries.every(({ ok }) => ok) ? 0 : 1;

function isWanted(table: BenchTable, name: string): boolean {
	return positionals.length === 0 || positionals.some(wanted => wanted === table.name || wanted === `${table.name}/${name}`);
}

/** A measure that throws has failed; the others still run. */
async function run(table: BenchTable, { name, measure, unit, limit, ...bench }: Measure): Promise<Entry> {
	const finding = await bench
		.run()
		.catch((error: unknown) => ({ value: Number.NaN, ok: false, notes: [`failed: ${(error as Error).stack}`] }));
	const value = Number(finding.value.toPrecision(4));
	say(`  ${finding.ok ? 'ok  ' : 'MISS'} ${name}: ${measure}: ${value} ${unit} (limit ${limit})`);
	for (const note of finding.notes ?? []) {
		say(`         ${note}`);
	}
	return { table: table.name, measure, value, unit, limit, ok: finding.ok };
}
