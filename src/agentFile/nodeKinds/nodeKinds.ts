import { agent } from './agent.ts';
import { answer } from './answer.ts';
import { assigner } from './assigner.ts';
import { code } from './code.ts';
import { datasource, datasourceEmpty, knowledgeIndex } from './datasources.ts';
import { documentExtractor } from './documentExtractor.ts';
import { end } from './end.ts';
import { httpRequest } from './httpRequest.ts';
import { humanInput } from './humanInput.ts';
import { ifElse } from './ifElse.ts';
import { iteration, iterationStart } from './iteration.ts';
import { knowledgeRetrieval } from './knowledgeRetrieval.ts';
import { listOperator } from './listOperator.ts';
import { llm } from './llm.ts';
import { loop, loopEnd, loopStart } from './loop.ts';
import type { NodeKind, NodeRole } from './nodeKind.ts';
import { parameterExtractor } from './parameterExtractor.ts';
import { questionClassifier } from './questionClassifier.ts';
import { start } from './start.ts';
import { templateTransform } from './templateTransform.ts';
import { tool } from './tool.ts';
import { triggerPlugin, triggerSchedule, triggerWebhook } from './triggers.ts';
import { variableAggregator, variableAssigner } from './variableAggregator.ts';

/** All node types, in the order in which completion and the graph offer them. */
export const nodeKinds: readonly NodeKind[] = [
	start,
	llm,
	templateTransform,
	code,
	ifElse,
	questionClassifier,
	parameterExtractor,
	httpRequest,
	documentExtractor,
	listOperator,
	variableAggregator,
	assigner,
	end,
	answer,
	knowledgeRetrieval,
	tool,
	agent,
	humanInput,
	triggerWebhook,
	triggerSchedule,
	triggerPlugin,
	loopEnd,
	iteration,
	loop,
	iterationStart,
	loopStart,
	variableAssigner,
	knowledgeIndex,
	datasource,
	datasourceEmpty,
];

const byType: ReadonlyMap<string, NodeKind> = new Map(nodeKinds.map(kind => [kind.type, kind]));

/** Returns the kind of a node type; `undefined` if unknown. */
export function findNodeKind(type: string): NodeKind | undefined {
	return byType.get(type);
}

/** Returns the role of a node type. Triggers of unknown types start the agent too. */
export function getNodeRole(type: string): NodeRole | undefined {
	return byType.get(type)?.role ?? (type.startsWith('trigger-') ? 'start' : undefined);
}

/** True if nodes of this type have a prompt that the playground can run. */
export function hasPrompt(type: string): boolean {
	return type === llm.type;
}
