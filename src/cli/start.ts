#!/usr/bin/env node
// Installed as `nightmark`, bundled (scripts/build.mjs). The program is loaded after the compile cache is enabled, which Node 22
// and later have.
import * as nodeModule from 'node:module';

(nodeModule as { enableCompileCache?(): void }).enableCompileCache?.();
void import('./main.ts');
