import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { RouteSchema } from '@nestjs/platform-fastify';
import { PAGE_SCHEMA } from '../../../json-schemas.mjs';
import { AuthGuard } from './auth.guard.js';
import { PageQuery, UserParams } from './posts.dto.js';
import { PostsService } from './posts.service.js';

@Controller('users')
@UseGuards(AuthGuard)
export class PostsController {
  constructor(private readonly postsService: PostsService) {}

  @Get(':id/posts')
  @RouteSchema({ response: { 200: PAGE_SCHEMA } })
  page(@Param() { id }: UserParams, @Query() { limit, minViews }: PageQuery) {
    return this.postsService.page(id, minViews, limit);
  }
}
