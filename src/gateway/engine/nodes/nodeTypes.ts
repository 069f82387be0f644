import { answer } from './answer.ts';
import { assigner } from './assigner.ts';
import { code } from './code.ts';
import { containerStart, loopEnd } from './containerStart.ts';
import { documentExtractor } from './documentExtractor.ts';
import { end } from './end.ts';
import { httpRequest } from './httpRequest.ts';
import { ifElse } from './ifElse.ts';
import { iteration } from './iteration.ts';
import { knowledgeRetrieval } from './knowledgeRetrieval.ts';
import { listOperator } from './listOperator.ts';
import { llm } from './llm.ts';
import { loop } from './loop.ts';
import type { NodeType } from './nodeType.ts';
import { parameterExtractor } from './parameterExtractor.ts';
import { questionClassifier } from './questionClassifier.ts';
import { start } from './start.ts';
import { templateTransform } from './templateTransform.ts';
import { tool } from './tool.ts';
import { variableAggregator } from './variableAggregator.ts';

const types = [
	start,
	end,
	answer,
	llm,
	knowledgeRetrieval,
	code,
	templateTransform,
	ifElse,
	variableAggregator,
	httpRequest,
	questionClassifier,
	parameterExtractor,
	tool,
	documentExtractor,
	listOperator,
	iteration,
	loop,
	loopEnd,
	assigner,
];

/** Every node type that this engine runs, by `data.type`. */
export const nodeTypes: ReadonlyMap<string, NodeType> = new Map([
	...types.map(type => [type.type, type] as const),
	['iteration-start', containerStart],
	['loop-start', containerStart],
	// the aggregator's name in older files
	['variable-assigner', variableAggregator],
	['trigger-webhook', start],
	['trigger-schedule', start],
	['trigger-plugin', start],
]);
