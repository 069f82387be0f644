import { encryptDatasetId } from './datasetIds.ts';
import type { DifyDeployment } from './difyDeployment.ts';
import { dumpPyYaml } from './pyYaml/pyYamlWriter.ts';
import type { FakeApp, FakeNode, FakeWorkflow, Fields } from './state.ts';
import { exportVariables } from './variables.ts';

/** Exports an app's file as a deployment does: without workspace-specific data, in the format version of the deployment. */
export function exportAppFile(fake: DifyDeployment, app: FakeApp, workflow: FakeWorkflow | undefined, withSecrets: boolean): string {
	const used = findPlugins(app, workflow).filter(plugin => fake.options.plugins?.includes(plugin));
	return dumpPyYaml({
		version: fake.release.dsl,
		kind: 'app',
		app: {
			name: app.name,
			mode: app.mode,
			icon: app.icon,
			...(fake.release.iconType ? { icon_type: app.iconType } : {}),
			icon_background: app.iconBackground,
			description: app.description,
			use_icon_as_answer_icon: app.useIconAsAnswerIcon,
		},
		dependencies: used.map(createDependency),
		...(fake.release.site && app.siteSettings ? { site: app.siteSettings } : {}),
		...(workflow ? { workflow: createWorkflowContent(app, workflow, withSecrets) } : { model_config: app.modelConfig }),
	});
}

function createWorkflowContent(app: FakeApp, { graph, features, environment, conversation }: FakeWorkflow, withSecrets: boolean): Fields {
	const nodes = graph.nodes.map(node => ({ ...node, data: toPortableData(app, structuredClone(node.data), withSecrets) }));
	return {
		graph: { ...graph, nodes },
		features,
		environment_variables: exportVariables(environment, withSecrets),
		conversation_variables: exportVariables(conversation, true),
		rag_pipeline_variables: [],
	};
}

/** Removes workspace-specific data from a node: credentials, webhook addresses, subscriptions, schedules, plain dataset IDs. */
function toPortableData(app: FakeApp, data: FakeNode['data'], withSecrets: boolean): FakeNode['data'] {
	if (data.type === 'knowledge-retrieval' && Array.isArray(data['dataset_ids'])) {
		data['dataset_ids'] = data['dataset_ids'].map(id => encryptDatasetId(String(id), app.workspaceId));
	}
	if (data.type === 'tool' && !withSecrets) {
		delete data['credential_id'];
	}
	if (data.type === 'agent' && !withSecrets) {
		const tools = (data['agent_parameters'] as { tools?: { value?: Fields[] } } | undefined)?.tools?.value ?? [];
		for (const tool of tools) {
			delete tool['credential_id'];
		}
	}
	if (data.type === 'trigger-webhook') {
		Object.assign(data, { webhook_url: '', webhook_debug_url: '' });
	}
	if (data.type === 'trigger-plugin') {
		data['subscription_id'] = '';
	}
	if (data.type === 'trigger-schedule') {
		data['config'] = { frequency: 'daily', visual_config: { time: '12:00 AM', weekdays: ['sun'], on_minute: 0, monthly_days: [1] } };
	}
	return data;
}

/** Returns the distinct plugins that an app's nodes use, for example `langgenius/openai`, sorted by name. */
function findPlugins(app: FakeApp, workflow: FakeWorkflow | undefined): string[] {
	const models = [...(workflow?.graph.nodes.map(({ data }) => data['model']) ?? []), app.modelConfig?.['model']];
	const providers = [
		...models.map(model => (model as Fields | undefined)?.['provider']),
		...(workflow?.graph.nodes.filter(({ data }) => data.type === 'tool').map(({ data }) => data['provider_id']) ?? []),
	];
	const named = providers.filter(each => typeof each === 'string' && each.includes('/')) as string[];
	return [...new Set(named.map(each => each.split('/').slice(0, 2).join('/')))].sort();
}

function createDependency(plugin: string): Fields {
	return {
		current_identifier: null,
		type: 'marketplace',
		value: { marketplace_plugin_unique_identifier: `${plugin}:0.1.0@${'0'.repeat(64)}`, version: null },
	};
}
