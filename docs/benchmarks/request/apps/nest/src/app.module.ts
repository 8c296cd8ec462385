import { createSecretKey } from 'node:crypto';
import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AuthGuard } from './auth.guard.js';
import { PostsController } from './posts.controller.js';
import { PostsService } from './posts.service.js';
import { PrismaService } from './prisma.service.js';

// Of a secret that is a text, jsonwebtoken tries for each token whether it is a public key, which takes longer than all of the rest.
const secret = createSecretKey(process.env['JWT_SECRET'] ?? '', 'utf8');

@Module({
  imports: [JwtModule.register({ secret, verifyOptions: { algorithms: ['HS256'] } })],
  controllers: [PostsController],
  providers: [AuthGuard, PostsService, PrismaService],
})
export class AppModule {}
