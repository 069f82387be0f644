// Fails if an import breaks the rules between units (CONTRIBUTING.md, "Rules between units").
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The units of src/, lowest first. `uses`: units whose code a unit may import; `types`: units from which it may import types, and code
 * with `import()`; `packages`: packages of Node and npm that it may import.
 */
const units = {
	base: { uses: [], packages: ['node', '@jitl/quickjs-wasmfile-release-sync', 'quickjs-emscripten-core', 'jsonc-parser'] },
	network: { uses: ['base'], packages: ['node', 'undici/lib'] },
	contract: { uses: ['base'], packages: ['zod'] },
	client: { uses: ['base', 'network', 'contract'], packages: ['node', 'zod', 'eventsource-parser', 'undici/lib', 'yaml'] },
	agentFile: { uses: ['base', 'contract'], packages: ['node', 'zod', 'yaml'] },
	runs: { uses: ['base', 'contract', 'agentFile/nodeKinds'], types: ['client', 'agentFile'], packages: ['node', 'zod', 'jsonc-parser'] },
	suites: {
		uses: ['base', 'contract', 'client', 'agentFile', 'runs', 'media'],
		packages: ['node', 'zod', 'jsonc-parser', 'csv-parse', '@cfworker/json-schema'],
	},
	dify: { uses: ['base', 'contract', 'agentFile'], types: ['client'], packages: ['node', 'zod', 'yaml'] },
	engine: {
		uses: ['base', 'network', 'contract', 'agentFile'],
		packages: [
			...['node', 'zod', 'yaml', 'jsonrepair', '@modelcontextprotocol/client', 'cross-spawn'],
			...['postal-mime', 'htmlparser2', 'unpdf'],
		],
	},
	models: {
		uses: ['base', 'network', 'contract'],
		packages: ['node', 'zod', '@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai-compatible'],
	},
	gateway: {
		uses: ['base', 'network', 'contract', 'agentFile', 'engine', 'models'],
		packages: ['node', 'zod', 'yaml', 'jsonc-parser', '@modelcontextprotocol/server'],
	},
	cli: { uses: ['base', 'network', 'contract', 'client', 'agentFile', 'runs', 'suites', 'dify'], packages: ['node', 'jsonc-parser'] },
	pages: {
		uses: ['base', 'contract', 'agentFile', 'runs', 'suites'],
		packages: ['zod', 'lit', 'highlight.js', 'markdown-it', 'dompurify', 'mermaid', 'temml', '@vscode-elements/elements'],
	},
	editor: {
		uses: ['base', 'contract', 'agentFile', 'runs', 'suites', 'dify', 'pages', 'client/localGateway'],
		types: ['client', 'network'],
		packages: ['vscode', 'node', 'zod', 'jsonc-parser', 'yaml', '@vscode/debugadapter'],
	},
	'extension.ts': { uses: ['base', 'editor', 'client/localGateway'], types: ['client', 'contract'], packages: ['vscode', 'node'] },
};

/** Folders of src/editor, lowest first: each may import code from earlier ones. */
const editorFolders = [
	'platform',
	'connections',
	'runs',
	'agents',
	'dify',
	'explorer',
	'suites',
	'debugger',
	'chat',
	'prompts',
	'assistant',
];

/** Units whose folders still have circular imports, with the reasons. */
const unlayered = {
	engine: 'a node type asks for values of the run, and the run for its node types',
	models: 'translating a call and fitting it to an upstream use each other',
};

const statement =
	/(?:^|\n)\s*(import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** @returns {{ from: string, kind: 'value' | 'type' | 'lazy' }[]} */
function findImports(text) {
	return [...text.matchAll(statement)].map(m => ({ from: m[3] ?? m[4] ?? m[5], kind: m[5] ? 'lazy' : m[2] ? 'type' : 'value' }));
}

const getPackageName = name => (name.startsWith('node:') ? 'node' : name);
const isAllowedPackage = (packages, name) => packages.some(p => getPackageName(name) === p || name.startsWith(`${p}/`));
const isInside = (folder, file) => file === folder || file.startsWith(`${folder}/`);

/** Returns the imported file in src/, for an import of this project. */
function resolveImport(name, from) {
	return from.startsWith('#') ? from.slice(1) : path.posix.normalize(path.posix.join(path.posix.dirname(name), from));
}

function findViolation(name, rule, { from, kind }) {
	if (from === 'undici') {
		return "imports undici's index, which replaces the process-wide fetch dispatcher: import from undici/lib/…";
	}
	if (!/^[.#]/.test(from)) {
		return kind === 'type' || isAllowedPackage(rule.packages, from) ? undefined : `imports the package ${from}`;
	}
	if (!from.endsWith('.ts') && !from.endsWith('.json')) {
		return `imports ${from} without its .ts ending`;
	}
	const target = resolveImport(name, from).replace(/^\.\.\//, '');
	const [unit, folder] = name.split('/');
	if (isInside(unit, target)) {
		const [own, other] = [folder, target.split('/')[1]].map(at => editorFolders.indexOf(at));
		return unit === 'editor' && kind === 'value' && own >= 0 && other > own
			? `imports ${from}: a folder of the editor imports those listed before it`
			: from.startsWith('#')
				? `imports ${from}: inside a unit by a relative path`
				: undefined;
	}
	if (from.startsWith('.') && !from.endsWith('.json')) {
		return `imports ${from}: another unit by its name, as in #${target}`;
	}
	const allowed = [...rule.uses, ...(kind === 'value' ? [] : (rule.types ?? []))];
	return allowed.some(each => isInside(each, target)) ? undefined : `imports ${from} (${kind}), which its unit may not`;
}

/** @returns {string[]} one sentence per cycle, with its members in order */
function findImportCycles(graph, what) {
	const cycles = [];
	const done = new Set();
	const visitNode = (node, path) => {
		if (path.includes(node)) {
			cycles.push(`${[...path.slice(path.indexOf(node)), node].join(' → ')}: ${what}`);
		} else if (!done.has(node)) {
			for (const next of graph.get(node) ?? []) {
				visitNode(next, [...path, node]);
			}
			done.add(node);
		}
	};
	for (const node of graph.keys()) {
		visitNode(node, []);
	}
	return cycles;
}

/** Derives the graph of folders within units from the graph of files: maps `unit/folder` to the folders whose code it imports. */
function createFolderGraph(files) {
	const folders = new Map();
	for (const [file, targets] of files) {
		const [unit, folder, ...rest] = file.split('/');
		for (const target of targets) {
			const [otherUnit, other, ...otherRest] = target.split('/');
			if (rest.length && otherRest.length && unit === otherUnit && folder !== other && !unlayered[unit]) {
				const key = `${unit}/${folder}`;
				folders.set(key, (folders.get(key) ?? new Set()).add(`${unit}/${other}`));
			}
		}
	}
	return folders;
}

/**
 * @param {string} sources The folder src/.
 * @returns {string[]} one sentence per violation: the file, the import and the problem
 */
export function findViolations(sources) {
	const graph = new Map();
	const faults = [];
	for (const name of fs.globSync('**/*.ts', { cwd: sources }).map(toPosixPath)) {
		const rule = units[name.split('/')[0]];
		const imports = findImports(fs.readFileSync(path.join(sources, name), 'utf8'));
		const own = imports.filter(({ from, kind }) => kind === 'value' && /^[.#]/.test(from));
		graph.set(
			name,
			own.map(({ from }) => resolveImport(name, from)),
		);
		const found = rule ? imports.map(entry => findViolation(name, rule, entry)) : ['is in a folder that has no rule'];
		faults.push(...found.filter(Boolean).map(wrong => `src/${name}: ${wrong}`));
	}
	return [
		...faults,
		...findImportCycles(graph, 'a cycle of imports at run time'),
		...findImportCycles(createFolderGraph(graph), 'a cycle of folders inside a unit'),
	];
}

/** Finds violations in tests and scripts. They must import sources by unit name, so that a moved file changes only part of a path. */
export function findOuterViolations(root) {
	const nested = fs
		.globSync('{test,scripts}/**/package.json', { cwd: root, exclude: ['**/node_modules/**'] })
		.map(file => path.posix.dirname(toPosixPath(file)));
	return fs
		.globSync('{test,scripts}/**/*.{ts,mjs}', { cwd: root, exclude: ['**/node_modules/**'] })
		.map(toPosixPath)
		.filter(name => !nested.some(folder => isInside(folder, name)))
		.flatMap(name =>
			findImports(fs.readFileSync(path.join(root, name), 'utf8'))
				.filter(({ from }) => from.startsWith('.') && isInside('src', resolveImport(name, from)))
				.map(({ from }) => `${name}: imports ${from}: a source by its unit, as in #${resolveImport(name, from).slice('src/'.length)}`),
		);
}

function toPosixPath(name) {
	return name.replaceAll(path.sep, '/');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
	const faults = [...findViolations(path.join(root, 'src')), ...findOuterViolations(root)];
	for (const line of faults) {
		console.error(line);
	}
	process.exit(faults.length ? 1 : 0);
}
