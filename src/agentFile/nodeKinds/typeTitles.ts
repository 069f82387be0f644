import { getOwnField } from '#base/records/ownField.ts';
import type { Localization } from '#base/text/localization.ts';

/** Returns the title of a node type; for an unknown one, the type. */
export function getNodeTypeTitle(type: string, l10n: Localization): string {
	return getOwnField(getNodeTypeTitles(l10n), type) ?? type;
}

/** Returns the titles of node types, as on Dify's canvas. */
export function getNodeTypeTitles({ t }: Localization): Readonly<Record<string, string>> {
	return {
		start: t({ message: 'User Input', comment: ['type of a node, as titled on the canvas of Dify'] }),
		end: t({ message: 'Output', comment: ['type of a node, as titled on the canvas of Dify'] }),
		answer: t({ message: 'Answer', comment: ['type of a node, as titled on the canvas of Dify'] }),
		llm: t({ message: 'LLM', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'knowledge-retrieval': t({ message: 'Knowledge Retrieval', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'question-classifier': t({ message: 'Question Classifier', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'if-else': t({ message: 'IF/ELSE', comment: ['type of a node, as titled on the canvas of Dify'] }),
		code: t({ message: 'Code', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'template-transform': t({ message: 'Template', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'variable-aggregator': t({ message: 'Variable Aggregator', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'variable-assigner': t({ message: 'Variable Aggregator', comment: ['type of a node, as titled on the canvas of Dify'] }),
		assigner: t({ message: 'Variable Assigner', comment: ['type of a node, as titled on the canvas of Dify'] }),
		iteration: t({ message: 'Iteration', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'iteration-start': t({ message: 'Iteration Start', comment: ['type of a node, as titled on the canvas of Dify'] }),
		loop: t({ message: 'Loop', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'loop-start': t({ message: 'Loop Start', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'loop-end': t({ message: 'Exit Loop', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'parameter-extractor': t({ message: 'Parameter Extractor', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'http-request': t({ message: 'HTTP Request', comment: ['type of a node, as titled on the canvas of Dify'] }),
		tool: t({ message: 'Tool', comment: ['type of a node, as titled on the canvas of Dify'] }),
		agent: t({ message: 'Agent', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'list-operator': t({ message: 'List Operator', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'document-extractor': t({ message: 'Doc Extractor', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'human-input': t({ message: 'Human Input', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'trigger-webhook': t({ message: 'Webhook Trigger', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'trigger-schedule': t({ message: 'Schedule Trigger', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'trigger-plugin': t({ message: 'Integration Trigger', comment: ['type of a node, as titled on the canvas of Dify'] }),
		datasource: t({ message: 'Data Source', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'datasource-empty': t({ message: 'Data Source', comment: ['type of a node, as titled on the canvas of Dify'] }),
		'knowledge-index': t({ message: 'Knowledge Base', comment: ['type of a node, as titled on the canvas of Dify'] }),
	};
}
