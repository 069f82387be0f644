import { answer } from '../nodeKinds/answer.ts';
import { start } from '../nodeKinds/start.ts';
import { AgentReading } from '../reading/agentReading.ts';
import type { TextChange } from '../writing/textChanges.ts';
import type { GraphOperation } from './graphOperations.ts';

/** True if a file has no content except comments. */
export function isEmptyFile(content: unknown): boolean {
	return content === undefined || content === null;
}

/**
 * Writes a minimal agent of a mode into an empty file: a start node, and an answer node in chatflows. Returns `undefined` if the file
 * isn't empty.
 */
export function startAgent(
	file: string | AgentReading,
	{ mode, name }: Extract<GraphOperation, { do: 'begin' }>,
): readonly TextChange[] | undefined {
	const read = typeof file === 'string' ? new AgentReading(file) : file;
	const { text } = read;
	if (read.error || !isEmptyFile(read.content)) {
		return undefined;
	}
	const before = text === '' || text.endsWith('\n') ? '' : '\n';
	return [{ offset: text.length, length: 0, text: `${before}${formatSkeleton(mode, name)}` }];
}

/** IDs of new nodes that the graph selects. */
export const startNodes = ['start'] as const;

function formatSkeleton(mode: Extract<GraphOperation, { do: 'begin' }>['mode'], name: string): string {
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
