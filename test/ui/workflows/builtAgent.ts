import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { parse } from 'yaml';
import { root } from '../../../scripts/lib/paths.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import type { Session } from '../driver/session.ts';
import type { Workbench } from '../driver/workbench.ts';

/** The parts of an agent that are compared: nodes by ID with some of their fields, edges with their handles, variables. */
export interface Built {
	readonly nodes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	readonly edges: readonly string[];
	readonly environment: readonly unknown[];
}

/** biome-ignore lint/suspicious/noExplicitAny: content of an agent file */
export type Content = any;

/** Extracts the compared parts. Of a model only the name counts, of lists only the named fields. */
export function parseBuiltAgent(text: string): Built {
	const { graph, environment_variables: environment } = (parse(text) as Content).workflow;
	const pickFields = (items: Content[] | undefined, ...names: string[]) =>
		items?.map(item => (Array.isArray(item) ? item : Object.fromEntries(names.map(name => [name, item[name]]))));
	const nodes = graph.nodes.map(({ id, data }: Content) => [
		id,
		{
			type: data.type,
			title: data.title,
			model: data.model?.name,
			query: data.query ?? data.query_variable_selector,
			template: data.template,
			code: data.code,
			instruction: data.instruction || undefined,
			classes: pickFields(data.classes, 'name'),
			prompt: pickFields(data.prompt_template, 'role', 'text'),
			// `required` is false by default
			parameters: pickFields(data.parameters, 'name', 'type', 'description', 'required')?.map(each => ({
				required: false,
				...JSON.parse(JSON.stringify(each)),
			})),
			cases: data.cases?.map(({ conditions }: Content) => pickFields(conditions, 'variable_selector', 'comparison_operator', 'value')),
			variables: pickFields(data.variables, 'variable', 'value_selector', 'label', 'type'),
			outputs: pickFields(Array.isArray(data.outputs) ? data.outputs : undefined, 'variable', 'value_selector') ?? data.outputs,
		},
	]);
	// handles are compared by position, because the canvas chooses the IDs of classes and cases
	const getOutputHandles = (id: string): string[] => {
		const { classes = [], cases = [] } = graph.nodes.find((node: Content) => node.id === id).data;
		return [...classes.map((each: Content) => each.id), ...cases.map((each: Content) => each.case_id)];
	};
	const edges = graph.edges.map(({ source, sourceHandle, target }: Content) => {
		const way = getOutputHandles(source).indexOf(sourceHandle) + 1;
		return `${source} ${way || sourceHandle} ${target}`;
	});
	// drops undefined values, which aren't compared
	return JSON.parse(
		JSON.stringify({
			nodes: Object.fromEntries(nodes),
			edges: edges.toSorted(),
			environment: pickFields(environment, 'name', 'value_type', 'value'),
		}),
	) as Built;
}

/** The sample to build. */
export const support = fs.readFileSync(path.join(root, 'samples', 'agents', 'support.yml'), 'utf8');
const wanted = parse(support).workflow.graph.nodes as Content[];
/** Returns the data of one of the sample's nodes. */
export const getSampleData = (id: string): Content => wanted.find(node => node.id === id).data;

/** Opens an empty file in the graph editor. */
export async function openEmptyGraph(workbench: Workbench, name: string): Promise<Frame> {
	fs.writeFileSync(path.join(workbench.folder, 'agents', name), '');
	await workbench.openFile(name);
	await workbench.runCommand('View: Reopen Editor With...');
	await workbench.quickInput.pickOption('Agent Graph');
	// VS Code doesn't title the frame of a custom editor, but the page has a title
	const frame = await waitUntil('the page of the editor', async () => {
		for (const each of workbench.page.frames()) {
			if ((await each.title().catch(() => '')) === `Graph of ${name}`) {
				return each;
			}
		}
		return undefined;
	});
	await frame.getByText('This file is empty.').waitFor();
	return frame;
}

/** Resolves with the file's content once the latest change is saved. */
export async function waitForBuiltAgent({ workbench }: Session, name: string, hasLast: (built: Built) => boolean): Promise<Built> {
	await workbench.runCommand('File: Save All Files').catch(() => undefined);
	const file = path.join(workbench.folder, 'agents', name);
	return waitUntil('the file as it was built', () => {
		const text = fs.readFileSync(file, 'utf8');
		const built = text === '' ? undefined : parseBuiltAgent(text);
		return built && hasLast(built) ? built : undefined;
	});
}

/** True if the node that is built last exists. */
export const hasEndNode = ({ nodes }: Built) => JSON.stringify(nodes['end'] ?? '').includes('"card","priority"');
