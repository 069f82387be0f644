import assert from 'node:assert/strict';
import type { Knowledge, KnowledgeItem, KnowledgeQuery } from '#engine/knowledge/knowledge.ts';
import type { ModelRequest } from '#engine/run/engineTypes.ts';
import type { ToolSource } from '#engine/tools/engineTool.ts';
import { AgentTools } from '#engine/tools/publishedAgents.ts';
import { runNodeAlone } from '../nodes/nodeRun.ts';
import { createEndNode, createStartNode, createTestAgent, createTestServices, runTestAgent } from '../run/engineFixture.ts';

const node = { type: 'knowledge-retrieval', query_variable_selector: ['start', 'q'], dataset_ids: ['handbook'] };

function createItem(content: string, position = 1): KnowledgeItem {
	return {
		title: 'a.md',
		content,
		files: null,
		metadata: {
			_source: 'knowledge',
			dataset_id: 'handbook',
			dataset_name: 'Handbook',
			document_id: 'd',
			document_name: 'a.md',
			data_source_type: 'upload_file',
			segment_id: `s${position}`,
			retriever_from: 'workflow',
			score: 0.5,
			position,
			segment_position: position,
			segment_hit_count: 0,
			segment_word_count: content.length,
			segment_index_node_hash: 'h',
			doc_metadata: { owner: 'People' },
		},
	};
}

/** Creates knowledge that returns these items and records its queries. */
function createFakeKnowledge(items: readonly KnowledgeItem[] = [createItem('28 days')]): Knowledge & { readonly asked: KnowledgeQuery[] } {
	const asked: KnowledgeQuery[] = [];
	return {
		asked,
		async search(query) {
			asked.push(query);
			return { items, notes: [] };
		},
		listMetadataNames: async () => ['owner', 'updated'],
	};
}

/** Creates services with a model that has a fixed reply. */
const createSayingServices = (text: string, requests: ModelRequest[] = []) =>
	createTestServices(async function* (request) {
		requests.push(request);
		yield { type: 'text', text };
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
	});

describe('knowledge-retrieval', () => {
	const asked = async (data: object, inputs: Record<string, unknown> = { q: 'How many days?' }, services = createTestServices()) => {
		const knowledge = createFakeKnowledge();
		const outcome = await runNodeAlone({ ...node, ...data }, inputs, { ...services, knowledge });
		return { ...outcome, query: knowledge.asked[0] };
	};

	it('returns the results', async () => {
		const { outputs, record, query } = await asked({
			multiple_retrieval_config: { top_k: 2, score_threshold: 0.3, reranking_enable: false },
		});
		assert.deepEqual(outputs, { result: [createItem('28 days')] });
		assert.deepEqual(record.inputs, { query: 'How many days?' });
		assert.deepEqual(query, { text: 'How many days?', datasets: ['handbook'], mode: 'multiple', topK: 2, scoreThreshold: 0.3 });
	});

	it('passes on weights, and reports unsupported settings', async () => {
		const weights = { vector_setting: { vector_weight: 0.7 }, keyword_setting: { keyword_weight: 0.3 } };
		const { query } = await asked({ retrieval_mode: 'single', multiple_retrieval_config: { reranking_mode: 'weighted_score', weights } });
		assert.deepEqual([query?.mode, query?.weights], ['single', { vector: 0.7, keyword: 0.3 }]);
		const { record } = await asked({
			multiple_retrieval_config: { reranking_enable: true, reranking_mode: 'reranking_model' },
			vision: { enabled: true },
		});
		assert.match(JSON.stringify(record.process_data), /Rerank models.*Searching by image/);
	});

	it('fills in the values of manual conditions', async () => {
		const metadata_filtering_conditions = {
			logical_operator: 'or',
			conditions: [
				{ name: 'owner', comparison_operator: 'contains', value: 'a {{#start.who#}}' },
				{ name: 'owner', comparison_operator: 'empty' },
			],
		};
		const { query } = await asked({ metadata_filtering_mode: 'manual', metadata_filtering_conditions }, { q: 'x', who: 'b\nc' });
		assert.deepEqual(query?.filter, {
			join: 'or',
			conditions: [
				{ name: 'owner', operator: 'contains', value: 'a b c' },
				{ name: 'owner', operator: 'empty', value: null },
			],
		});
		assert.equal((await asked({ metadata_filtering_mode: 'disabled', metadata_filtering_conditions })).query?.filter, undefined);
		const wrong = { conditions: [{ name: 'owner', comparison_operator: 'like', value: 'x' }] };
		assert.match(
			String((await asked({ metadata_filtering_mode: 'manual', metadata_filtering_conditions: wrong })).error),
			/'like' isn't a valid operator for the metadata condition on .*Expected one of/,
		);
	});

	it("lets a model create the conditions, and searches everything if it doesn't", async () => {
		const automatic = { metadata_filtering_mode: 'automatic', metadata_model_config: { provider: 'p', name: 'm', mode: 'chat' } };
		const reply =
			'```json\n{"conditions": [{"name": "owner", "comparison_operator": "is", "value": "People"}, {"name": "ghost", "comparison_operator": "is", "value": 1}]}\n```';
		const { query } = await asked(automatic, undefined, createSayingServices(reply));
		assert.deepEqual(query?.filter, { join: 'and', conditions: [{ name: 'owner', operator: 'is', value: 'People' }] });
		for (const odd of ['no idea', '{"conditions": "none"}', '[]']) {
			const outcome = await asked(automatic, undefined, createSayingServices(odd));
			assert.equal(outcome.query?.filter, undefined);
			assert.match(JSON.stringify(outcome.record.process_data), /[Aa]ll documents were searched/);
		}
	});

	it('fails without a question, a dataset or any datasets', async () => {
		assert.equal((await asked({}, { q: '' })).error, 'Query is required.');
		assert.equal((await asked({ query_variable_selector: ['sys', 'files'] })).error, 'Query variable is not string type.');
		assert.match(String((await asked({ dataset_ids: [] })).error), /Expected IDs in 'dataset_ids'/);
		const { error, errorType } = await runNodeAlone(node, { q: 'x' });
		assert.deepEqual(
			[error, errorType],
			['This gateway has no datasets. Add one to agentWorkbench.gateway.knowledge.', 'KnowledgeRetrievalNodeError'],
		);
	});

	it('gives an llm node its context, and the run its citations', async () => {
		const requests: ModelRequest[] = [];
		const agent = createTestAgent(
			[
				createStartNode('q'),
				{ id: 'find', data: node },
				{
					id: 'llm',
					data: {
						type: 'llm',
						model: { provider: 'p', name: 'm', mode: 'chat', completion_params: {} },
						prompt_template: [{ role: 'system', text: 'Context: {{#context#}}.' }],
						context: { enabled: true, variable_selector: ['find', 'result'] },
					},
				},
				createEndNode({ text: 'llm.text' }),
			],
			['start > find', 'find > llm', 'llm > end'],
		);
		const knowledge = createFakeKnowledge([createItem('28 days {{#start.q#}}'), createItem('no more', 2)]);
		const { data, citations } = await runTestAgent(
			agent,
			{ inputs: { q: 'How many?' } },
			{ ...createSayingServices('ok', requests), knowledge },
		);
		assert.equal(data.status, 'succeeded');
		assert.equal(requests[0]?.messages[0]?.content, 'Context: 28 days {{#start.q#}}\nno more.');
		assert.deepEqual(
			citations.map(({ position, document_name, content, doc_metadata }) => ({ position, document_name, content, doc_metadata })),
			[
				{ position: 1, document_name: 'a.md', content: '28 days {{#start.q#}}', doc_metadata: { owner: 'People' } },
				{ position: 2, document_name: 'a.md', content: 'no more', doc_metadata: { owner: 'People' } },
			],
		);
	});

	it('gives the run its citations if another agent, used as a tool, got them', async () => {
		const model = { provider: 'p', name: 'm', mode: 'chat', completion_params: {} };
		const context = { enabled: true, variable_selector: ['find', 'result'] };
		const helper = createTestAgent(
			[
				createStartNode('q'),
				{ id: 'find', data: node },
				{ id: 'llm', data: { type: 'llm', model, prompt_template: [{ role: 'user', text: '{{#context#}}' }], context } },
				createEndNode({ text: 'llm.text' }),
			],
			['start > find', 'find > llm', 'llm > end'],
		);
		const published = { name: 'helper', appId: 'helper', workflowId: 'helper', agent: helper };
		const none: ToolSource = { listProviders: async () => [], findTool: async () => undefined, listToolNames: async () => [] };
		const agents = new AgentTools({ listAgentNames: async () => ['helper'], findAgent: async () => published });
		const data = { type: 'tool', provider_type: 'workflow', provider_id: 'helper', provider_name: 'helper', tool_name: 'helper' };
		const parameters = { tool_parameters: { q: { type: 'mixed', value: '{{#start.q#}}' } } };
		const caller = createTestAgent(
			[createStartNode('q'), { id: 'ask', data: { ...data, ...parameters } }, createEndNode({ text: 'ask.text' })],
			['start > ask', 'ask > end'],
		);
		const services = { ...createSayingServices('ok'), knowledge: createFakeKnowledge(), tools: { mcp: none, apis: none, agents } };
		const outcome = await runTestAgent(caller, { inputs: { q: 'How many?' } }, services);
		assert.deepEqual([outcome.data.outputs, outcome.citations.map(({ content }) => content)], [{ text: 'ok' }, ['28 days']]);
	});
});
