import { answer } from '../nodeKinds/answer.ts';
import { start } from '../nodeKinds/start.ts';
import { AgentReading } from '../reading/agentReading.ts';
import type { TextChange } from '../writing/textChanges.ts';
import type { GraphOperation } from './graphOperations.ts';

/** Whether a text holds nothing yet, so that an agent can begin in it: comments at most. */
export function isEmptyFile(content: unknown): boolean {
	return content === undefined || content === null;
}

/** Writes what each agent of a mode begins with: a start, to which the rest is added; a chatflow answers at once. `undefined` where the text holds something already. */
export function begin(
	file: string | AgentReading,
	{ mode, name }: Extract<GraphOperation, { do: 'begin' }>,
): readonly TextChange[] | undefined {
	const read = typeof file === 'string' ? new AgentReading(file) : file;
	const { text } = read;
	if (read.error || !isEmptyFile(read.content)) {
		return undefined;
	}
	const before = text === '' || text.endsWith('\n') ? '' : '\n';
	return [{ offset: text.length, length: 0, text: `${before}${skeleton(mode, name)}` }];
}

/** IDs of the nodes that are there then. */
export const begun = ['start'] as const;

function skeleton(mode: Extract<GraphOperation, { do: 'begin' }>['mode'], name: string): string {
	const isChat = mode === 'advanced-chat';
	return `version: "0.6.0"
kind: app
app:
  name: ${JSON.stringify(name)}
  mode: ${mode}
  description: ""
workflow:
  environment_variables: []
  conversation_variables: []
  features: {}
  graph:
    nodes:
      - id: start
        type: custom
        position: { x: 80, y: 280 }
        data:
          type: start
          title: ${start.snippet?.title}
          variables: []
${isChat ? answerText : '    edges: []\n'}`;
}

const answerText = `      - id: answer
        type: custom
        position: { x: 380, y: 280 }
        data:
          type: answer
          title: ${answer.snippet?.title}
          answer: "{{#sys.query#}}"
    edges:
      - { id: start-answer, type: custom, source: start, sourceHandle: source, target: answer, targetHandle: target }
`;
