// An MCP server over standard input and output, made with the official SDK: node mcpProgram.ts
import process from 'node:process';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createTestMcpServer } from './testMcpServer.ts';

process.stderr.write(`started with ${process.env['GREETING'] ?? 'nothing'}, ${process.env['HOME_MADE'] ?? 'no more'}\n`);
await createTestMcpServer(process.env['GREETING'] ?? 'Hello').connect(new StdioServerTransport());
