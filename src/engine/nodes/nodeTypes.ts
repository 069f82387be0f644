import { agent } from './agent/agent.ts';
import { answer } from './answer.ts';
import { assigner } from './assigner.ts';
import { code } from './code.ts';
import { containerStart, loopEnd } from './containers/containerStart.ts';
import { iteration } from './containers/iteration.ts';
import { loop } from './containers/loop.ts';
import { documentExtractor } from './documentExtractor.ts';
import { end } from './end.ts';
import { httpRequest } from './http/httpRequest.ts';
import { humanInput } from './humanInput.ts';
import { ifElse } from './ifElse.ts';
import { knowledgeRetrieval } from './knowledge/knowledgeRetrieval.ts';
import { listOperator } from './listOperator.ts';
import { llm } from './model/llm.ts';
import { parameterExtractor } from './model/parameterExtractor.ts';
import { questionClassifier } from './model/questionClassifier.ts';
import type { NodeType } from './nodeType.ts';
import { start } from './start.ts';
import { templateTransform } from './templateTransform.ts';
import { tool } from './tool.ts';
import { variableAggregator } from './variableAggregator.ts';

const indexByType = (...types: readonly NodeType[]) => types.map(type => [type.type, type] as const);

/** All node types that this engine runs, by `data.type`, in the order of the schema of agent files. */
export const nodeTypes: ReadonlyMap<string, NodeType> = new Map([
	...indexByType(start),
	['trigger-webhook', start],
	['trigger-schedule', start],
	['trigger-plugin', start],
	...indexByType(end, answer, llm, knowledgeRetrieval, code, templateTransform, ifElse, variableAggregator),
	// the aggregator's name in older files
	['variable-assigner', variableAggregator],
	...indexByType(httpRequest, questionClassifier, parameterExtractor, tool, agent, humanInput, documentExtractor, listOperator, iteration),
	['iteration-start', containerStart],
	...indexByType(loop),
	['loop-start', containerStart],
	...indexByType(loopEnd, assigner),
]);
