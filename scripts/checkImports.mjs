// Fails on an import that goes against the rules between folders (CONTRIBUTING.md, "Rules between folders").
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Rooms of the ground floor, which features import freely and which import nothing above. */
const ground = ['protocol', 'files', 'agentFile', 'textChecks', 'runEvents', 'runRequests', 'suites', 'difySync', 'threads', 'common'];

/**
 * Features, each with the others whose code it uses as it stands: helpers without state. All else reaches a feature as an object, through its
 * constructor.
 */
const features = {
	connections: [],
	explorer: ['agentFiles'],
	forms: ['runFiles'],
	runFiles: [],
	agentFiles: ['runFiles'],
	runs: ['runFiles', 'forms'],
	output: ['runs'],
	inspector: ['forms', 'runs'],
	logs: ['explorer', 'runs'],
	usage: [],
	graph: ['agentFiles'],
	inputs: ['forms', 'runFiles'],
	dify: ['agentFiles', 'connections', 'runFiles', 'forms', 'runs'],
	debugging: ['agentFiles', 'runFiles'],
	nodeRuns: ['agentFiles', 'runFiles'],
	conversations: [],
	chat: ['forms'],
	assistant: ['chat'],
	testing: ['runFiles'],
	workflows: ['runFiles', 'agentFiles', 'runs', 'output', 'inputs'],
};
const featureNames = Object.keys(features);

/**
 * What each folder of src/ may import. `value`: folders and packages; `type`: folders of which only types may be imported,
 * because their code is loaded later (client) or handed over by extension.ts (other features).
 */
const rules = {
	protocol: { value: ['protocol'], packages: ['zod'] },
	network: { value: ['network'], packages: ['undici/lib', 'node'] },
	client: { value: ['client', 'protocol', 'network'], packages: ['undici/lib', 'eventsource-parser', 'zod', 'node'] },
	gateway: { value: ['gateway', 'protocol', 'network', 'files', 'agentFile', 'threads', 'sandbox'], packages: 'all but vscode' },
	// of graph what draws: the build fails on what asks for the editor
	webview: {
		value: ['webview', 'runEvents', 'graph'],
		type: ['protocol', 'suites', 'forms', 'chat', 'inspector', 'inputs', 'logs', 'testing', 'usage'],
		packages: 'all but vscode',
	},
	// parts of the editor that ask it nothing: the build fails on what does
	cli: {
		value: ['cli', 'client', 'network', 'suites', ...ground, 'runFiles', 'agentFiles', 'runs', 'output', 'connections'],
		packages: ['node', 'jsonc-parser'],
	},
	agentFile: { value: ['agentFile'], packages: ['yaml', 'zod'] },
	textChecks: { value: ['textChecks'], packages: ['jsonc-parser'] },
	runEvents: { value: ['runEvents', 'protocol'], packages: [] },
	threads: { value: ['threads'], packages: ['node'] },
	sandbox: { value: ['sandbox'], packages: ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', 'node'] },
	files: { value: ['files'], packages: ['node'] },
	runRequests: { value: ['runRequests', 'files', 'protocol', 'agentFile', 'textChecks', 'runEvents'], packages: ['jsonc-parser', 'node'] },
	// of the client what waits between tries; the client itself is handed over
	suites: {
		value: ['suites', 'files', 'media', 'client', 'protocol', 'agentFile', 'textChecks', 'runEvents', 'runRequests', 'threads', 'sandbox'],
		packages: ['jsonc-parser', 'csv-parse', '@cfworker/json-schema', 'zod', 'node'],
	},
	// the management client is handed over
	difySync: { value: ['difySync', 'protocol', 'agentFile', 'textChecks'], type: ['client'], packages: ['zod', 'yaml', 'node'] },
	common: { value: ['common', 'runEvents'], type: ['protocol', 'runs'], packages: ['vscode', 'node'] },
	...Object.fromEntries(
		Object.entries(features).map(([feature, neighbours]) => [
			feature,
			{
				value: [feature, ...neighbours, ...ground],
				type: ['client', 'network', ...featureNames],
				lazy: ['client', 'agentFiles', 'inspector', 'inputs', 'logs', 'graph', 'debugging', 'nodeRuns', 'testing', 'usage', 'dify'],
				packages: ['vscode', 'node', 'jsonc-parser', 'yaml', 'zod', '@vscode/debugadapter'],
			},
		]),
	),
	'extension.ts': { value: [...featureNames, 'common'], type: ['client', 'protocol'], lazy: ['client'], packages: ['vscode', 'node'] },
};

const statement =
	/(?:^|\n)\s*(import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** @returns {{ from: string, kind: 'value' | 'type' | 'lazy' }[]} */
function importsOf(text) {
	return [...text.matchAll(statement)].map(m => ({ from: m[3] ?? m[4] ?? m[5], kind: m[5] ? 'lazy' : m[2] ? 'type' : 'value' }));
}

const packageOf = name => (name.startsWith('node:') ? 'node' : name);
const allows = (packages, name) =>
	packages === 'all but vscode' ? name !== 'vscode' : packages.some(p => packageOf(name) === p || name.startsWith(`${p}/`));

function fault(sources, file, rule, { from, kind }) {
	if (from === 'undici') {
		return "imports undici's index, which replaces the process-wide fetch dispatcher: import from undici/lib/…";
	}
	if (!from.startsWith('.')) {
		return kind === 'type' || allows(rule.packages, from) ? undefined : `imports the package ${from}`;
	}
	if (!from.endsWith('.ts') && !from.endsWith('.json')) {
		return `imports ${from} without its .ts ending`;
	}
	const parts = path.relative(sources, path.resolve(path.dirname(file), from)).split(path.sep);
	const folder = parts[0] === '..' ? parts[1] : parts[0];
	const allowed = [...rule.value, ...(kind === 'type' ? (rule.type ?? []) : []), ...(kind === 'lazy' ? (rule.lazy ?? []) : [])];
	return allowed.includes(folder) ? undefined : `imports ${from} (${kind}), which its folder may not`;
}

/** @returns {string[]} one sentence a circle of imports at run time, with its files in order */
function findCircles(graph) {
	const circles = [];
	const done = new Set();
	const visit = (file, way) => {
		if (way.includes(file)) {
			circles.push(`${[...way.slice(way.indexOf(file)), file].join(' → ')}: a circle of imports at run time`);
		} else if (!done.has(file)) {
			for (const next of graph.get(file) ?? []) {
				visit(next, [...way, file]);
			}
			done.add(file);
		}
	};
	for (const file of graph.keys()) {
		visit(file, []);
	}
	return circles;
}

/** @returns {string[]} one sentence a fault: the file, and what is wrong with which import */
export function findFaults(sources) {
	const graph = new Map();
	const faults = [];
	for (const name of fs.globSync('**/*.ts', { cwd: sources })) {
		const rule = rules[name.split(path.sep)[0]];
		const file = path.join(sources, name);
		const imports = importsOf(fs.readFileSync(file, 'utf8'));
		graph.set(
			toPosix(name),
			imports
				.filter(({ from, kind }) => kind === 'value' && from.startsWith('.'))
				.map(({ from }) => path.posix.join(path.posix.dirname(toPosix(name)), from)),
		);
		const found = rule ? imports.map(entry => fault(sources, file, rule, entry)) : ['lies in a folder that has no rule'];
		faults.push(...found.filter(Boolean).map(wrong => `src/${toPosix(name)}: ${wrong}`));
	}
	return [...faults, ...findCircles(graph)];
}

function toPosix(name) {
	return name.replaceAll(path.sep, '/');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const faults = findFaults(path.join(path.dirname(fileURLToPath(import.meta.url)), '../src'));
	for (const line of faults) {
		console.error(line);
	}
	process.exit(faults.length ? 1 : 0);
}
