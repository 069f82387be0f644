import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { getSbomFile, type Release, sbomNames } from '../release.ts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string> | string;
	environment?: unknown;
	'timeout-minutes'?: number;
	'continue-on-error'?: unknown;
	steps?: Step[];
}

interface Workflow {
	on?: unknown;
	permissions?: unknown;
	jobs?: Record<string, Job>;
}

/** What a job may do, by what it does. */
const roles: readonly { name: string; isRole: (text: string) => boolean; permissions: Record<string, string>; publishes: boolean }[] = [
	{
		name: 'attests',
		isRole: text => /actions\/attest/.test(text),
		permissions: { 'id-token': 'write', attestations: 'write', contents: 'read' },
		publishes: false,
	},
	{
		name: 'publishes a package',
		isRole: text => /\b(?:vsce|ovsx|npm) (?:stage )?publish\b/.test(text),
		permissions: { 'id-token': 'write', contents: 'read' },
		publishes: true,
	},
	{ name: 'creates a release page', isRole: text => /\bgh release\b/.test(text), permissions: { contents: 'write' }, publishes: true },
	{ name: 'builds or tests', isRole: () => true, permissions: { contents: 'read' }, publishes: false },
];

/** Folder with the tools of publish jobs: its lock file is all that they install. */
const publishTools = '.github/publish';

/** Check 8: workflows have the least permissions, pinned actions and no long-lived tokens, and publish jobs run no code of the project. */
export function checkWorkflows({ folder }: Pick<Release, 'folder'>): string[] {
	const files = fs.globSync('.github/workflows/*.{yml,yaml}', { cwd: folder }).sort();
	const faults = files.flatMap(file => checkWorkflow(path.basename(file), fs.readFileSync(path.join(folder, file), 'utf8')));
	return files.length > 0 ? faults : ['there are no workflows in .github/workflows'];
}

/** Checks the text of one workflow. */
export function checkWorkflow(name: string, text: string): string[] {
	const workflow = parse(text) as Workflow;
	const tokens = new Set(text.match(/\b(?:VSCE_PAT|OVSX_PAT|NPM_TOKEN|NODE_AUTH_TOKEN)\b|\bsecrets\.(?!GITHUB_TOKEN\b)\w+/g));
	return [
		...[...tokens].map(token => `uses the long-lived token ${token}`),
		...(/\bpull_request_target\b|\bworkflow_run\b/.test(JSON.stringify(workflow.on ?? '')) ? ['runs with rights of others'] : []),
		...(isDeepEqual(workflow.permissions, {}) ? [] : ['needs "permissions: {}" at the top']),
		...[...text.matchAll(/^[\s-]*uses:\s*(\S+)(.*)$/gm)]
			.filter(([, action = '', rest = '']) => !/^[\w.-]+\/[\w./-]+@[\da-f]{40}$/.test(action) || !/^ # v\d/.test(rest))
			.map(([, action]) => `${action} isn't pinned by a commit with its version as a comment`),
		...Object.entries(workflow.jobs ?? {}).flatMap(([id, job]) => checkJob(job).map(fault => `job '${id}' ${fault}`)),
	].map(fault => `${name}: ${fault}`);
}

function checkJob(job: Job): string[] {
	const steps = job.steps ?? [];
	const text = steps.map(({ uses = '', run = '' }) => `${uses}\n${run}`).join('\n');
	const role = roles.find(({ isRole }) => isRole(text))!;
	return [
		...(isDeepEqual(job.permissions, role.permissions) ? [] : [`${role.name}, so it needs exactly ${JSON.stringify(role.permissions)}`]),
		...(job['timeout-minutes'] ? [] : ['has no timeout-minutes']),
		...steps.filter(({ run }) => run?.includes('${{')).map(() => 'puts an expression into a script: use an environment variable'),
		...steps
			.filter(step => step.uses?.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false)
			.map(() => 'keeps the credentials of a checkout'),
		...steps
			.flatMap(step => step.with?.['sbom-path'] ?? [])
			.filter(file => !sbomNames.some(name => path.basename(getSbomFile(name)) === file))
			.map(file => `attests ${file}, which no package has`),
		...(role.publishes ? checkPublishJob(job, text) : []),
	];
}

function checkPublishJob({ environment, steps = [] }: Job, text: string): string[] {
	const isForeign = (line: string): boolean =>
		/\bnpm (?:ci|i|install|run|test|exec)\b|\bnpx\b|\bnode (?!-)\S/.test(line) &&
		!new RegExp(`^npm ci --ignore-scripts --prefix ${publishTools}$`).test(line.trim());
	return [
		...(environment ? [] : ['publishes without an environment']),
		...(/\bsha256sum --check\b/.test(text) ? [] : ["doesn't check the hashes of what it publishes"]),
		...text
			.split('\n')
			.filter(isForeign)
			.map(line => `runs code of the project: ${line.trim()}`),
		...steps
			.filter(step => step.uses?.startsWith('actions/checkout@') && step.with?.['sparse-checkout'] !== publishTools)
			.map(() => `checks out more than ${publishTools}`),
	];
}

/** Compares plain objects, regardless of the order of their keys. */
function isDeepEqual(value: unknown, wanted: Record<string, string>): boolean {
	if (typeof value !== 'object' || value === null) {
		return false;
	}
	const sort = (object: object): string => JSON.stringify(Object.entries(object).sort());
	return sort(value) === sort(wanted);
}
